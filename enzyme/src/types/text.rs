//! Type trees as text and as metadata: `{[-1]:Pointer, [-1,0]:Float@double}`, the form that `enzyme_type` has.

use std::str::FromStr;

use super::kind::{Addresses, Kind};
use super::path::Path;
use super::tree::{Limits, TypeTree};
use crate::model::{ConstantKind, Context, Metadata, MetadataId};

/// Why a text is not a type tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a type tree such as {{[-1]:Pointer, [-1,0]:Float@double}}: {reason}")]
pub struct TreeSyntaxError {
    text: String,
    reason: String,
}

impl FromStr for TypeTree {
    type Err = TreeSyntaxError;

    fn from_str(text: &str) -> Result<Self, TreeSyntaxError> {
        let error = |reason: String| TreeSyntaxError { text: text.to_owned(), reason };
        let inner = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let mut rest = inner.ok_or_else(|| error("no braces around it".to_owned()))?.trim();
        let mut tree = TypeTree::unknown();
        while !rest.is_empty() {
            let after = rest.strip_prefix('[').ok_or_else(|| error(format!("expected `[` at `{rest}`")))?;
            let (indices, after) =
                after.split_once(']').ok_or_else(|| error("a `[` without `]`".to_owned()))?;
            let path = indices
                .split(',')
                .map(str::trim)
                .filter(|index| !index.is_empty())
                .map(|index| index.parse().map_err(|_| error(format!("`{index}` is not an offset"))))
                .collect::<Result<Path, _>>()?;
            let after =
                after.trim_start().strip_prefix(':').ok_or_else(|| error("a path without `:`".to_owned()))?;
            let (kind, after) = after.split_once(',').unwrap_or((after, ""));
            let kind: Kind = kind.trim().parse().map_err(error)?;
            tree.add(&path, kind, Addresses::AreAddresses, Limits::default())
                .map_err(|conflict| error(conflict.to_string()))?;
            rest = after.trim_start();
        }
        Ok(tree)
    }
}

impl TypeTree {
    /// Reads `!{!"Pointer", i32 0, !{!"Float@double"}}`: a kind, or `Unknown`, then pairs of an offset and the node of
    /// what lies there. `None` when the node has another form.
    pub fn from_metadata(context: &Context, node: MetadataId) -> Option<Self> {
        let mut tree = Self::unknown();
        read_node(context, node, &mut Path::new(), &mut tree)?;
        Some(tree)
    }
}

fn read_node(context: &Context, node: MetadataId, path: &mut Path, tree: &mut TypeTree) -> Option<()> {
    let Metadata::Node { elements, .. } = &context.metadata[node] else { return None };
    let (&head, pairs) = elements.split_first()?;
    let Metadata::String(kind) = &context.metadata[head?] else { return None };
    if kind != "Unknown" {
        let kind = kind.parse().ok()?;
        tree.add(path, kind, Addresses::AreAddresses, Limits::default()).ok()?;
    }
    for pair in pairs.chunks_exact(2) {
        let Metadata::Constant(constant) = &context.metadata[pair[0]?] else { return None };
        let ConstantKind::Integer(offset) = &context.constant(*constant).kind else { return None };
        path.push(i32::try_from(offset.as_i64()?).ok()?);
        read_node(context, pair[1]?, path, tree)?;
        path.pop();
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "{}",
            "{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer}",
            "{[]:Anything}",
            "{[-1]:Float@fp80}",
        ] {
            assert_eq!(text.parse::<TypeTree>().expect("parses").to_string(), text);
        }
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_reason() {
        for (text, reason) in [
            ("[-1]:Integer", "no braces"),
            ("{-1:Integer}", "expected `[`"),
            ("{[x]:Integer}", "not an offset"),
            ("{[-1]:Number}", "is not one of"),
            ("{[-1]:Integer, [-1,0]:Integer}", "cannot both be true"),
        ] {
            let error = text.parse::<TypeTree>().expect_err(text).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
