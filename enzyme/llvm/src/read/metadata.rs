//! Reads metadata and debug locations.

use std::sync::Arc;

use enzyme::model::{DebugLocation, Metadata, MetadataId, MetadataIdentity};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetFilename, LLVMDILocationGetColumn, LLVMDILocationGetLine, LLVMDILocationGetScope,
    LLVMDIScopeGetFile, LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueMetadataEntry, LLVMValueRef};

use super::shim::{self, MetadataClass};
use super::{ReadError, Reader};
use crate::ir::{llvm, owned};

/// Metadata attached to something: the number of its kind, and the node.
type Attachment = (u32, LLVMMetadataRef);

impl Reader {
    /// A node; `None` for debug information, which the model does not keep.
    pub(super) fn metadata(&mut self, raw: LLVMMetadataRef) -> Result<Option<MetadataId>, ReadError> {
        if let Some(known) = self.known_metadata.get(&raw) {
            return Ok(*known);
        }
        let node = match shim::metadata_class(raw) {
            MetadataClass::String => Metadata::String(shim::metadata_text(raw)),
            MetadataClass::Constant => Metadata::Constant(self.constant(shim::metadata_value(raw))?),
            MetadataClass::LocalValue => Metadata::Value(self.operand(shim::metadata_value(raw))?),
            MetadataClass::UniquedTuple => return self.tuple(raw, MetadataIdentity::Uniqued).map(Some),
            MetadataClass::DistinctTuple => return self.tuple(raw, MetadataIdentity::Distinct).map(Some),
            MetadataClass::Other => {
                self.known_metadata.insert(raw, None);
                return Ok(None);
            }
        };
        let id = self.function.context.metadata.push(node);
        self.known_metadata.insert(raw, Some(id));
        Ok(Some(id))
    }

    /// A tuple. It may hold itself, so its id is known before its elements are read; debug information among
    /// them (the place of a loop) is left out.
    fn tuple(&mut self, raw: LLVMMetadataRef, identity: MetadataIdentity) -> Result<MetadataId, ReadError> {
        let id = self.function.context.metadata.push(Metadata::Node { identity, elements: Vec::new() });
        self.known_metadata.insert(raw, Some(id));
        let mut read = Vec::new();
        for element in shim::tuple_elements(raw) {
            match element {
                None => read.push(None),
                Some(element) => read.extend(self.metadata(element)?.map(Some)),
            }
        }
        self.function.context.metadata[id] = Metadata::Node { identity, elements: read };
        Ok(id)
    }

    /// Metadata as an operand. Debug information, which the model does not keep, is an empty node.
    pub(super) fn metadata_operand(&mut self, raw: LLVMMetadataRef) -> Result<Metadata, ReadError> {
        Ok(match self.metadata(raw)? {
            Some(id) => self.function.context.metadata[id].clone(),
            None => Metadata::Node { identity: MetadataIdentity::Uniqued, elements: Vec::new() },
        })
    }

    /// The metadata of an instruction, by kind, without debug information.
    pub(super) fn instruction_metadata(
        &mut self,
        instruction: LLVMValueRef,
    ) -> Result<Vec<(String, MetadataId)>, ReadError> {
        if llvm!(LLVMHasMetadata(instruction)) == 0 {
            return Ok(Vec::new());
        }
        self.attached(attachments(|count| {
            llvm!(LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, count))
        }))
    }

    /// The metadata of a symbol, by kind, without debug information. Aliases have none.
    pub(super) fn global_metadata(
        &mut self,
        global: LLVMValueRef,
    ) -> Result<Vec<(String, MetadataId)>, ReadError> {
        if llvm!(LLVMIsAGlobalObject(global)).is_null() {
            return Ok(Vec::new());
        }
        self.attached(attachments(|count| llvm!(LLVMGlobalCopyAllMetadata(global, count))))
    }

    fn attached(&mut self, attachments: Vec<Attachment>) -> Result<Vec<(String, MetadataId)>, ReadError> {
        let mut read = Vec::new();
        for (kind, node) in attachments {
            let Some(id) = self.metadata(node)? else { continue };
            let Some(name) = self.metadata_kinds.get(kind as usize) else { continue };
            read.push((name.clone(), id));
        }
        Ok(read)
    }

    /// Where an instruction comes from. For one that was inlined, that is the place in the function it was
    /// written in.
    pub(super) fn location(&mut self, instruction: LLVMValueRef) -> Option<DebugLocation> {
        let location = llvm!(LLVMInstructionGetDebugLoc(instruction));
        if location.is_null() {
            return None;
        }
        let scope = llvm!(LLVMDILocationGetScope(location));
        Some(DebugLocation {
            file: self.file_of_scope(scope),
            line: llvm!(LLVMDILocationGetLine(location)),
            column: llvm!(LLVMDILocationGetColumn(location)),
        })
    }

    pub(super) fn file_of_scope(&mut self, scope: LLVMMetadataRef) -> Arc<str> {
        let file = llvm!(LLVMDIScopeGetFile(scope));
        let known = self.known_files.entry(file).or_insert_with(|| {
            if file.is_null() {
                return Arc::from("");
            }
            let mut length = 0;
            let name = llvm!(LLVMDIFileGetFilename(file, &mut length));
            Arc::from(owned(name, length as usize))
        });
        known.clone()
    }
}

/// Takes over a list of attachments that the C API hands out.
fn attachments(list: impl FnOnce(*mut usize) -> *mut LLVMValueMetadataEntry) -> Vec<Attachment> {
    let mut count = 0;
    let entries = list(&raw mut count);
    if entries.is_null() {
        return Vec::new();
    }
    let attachments = (0..count as u32)
        .map(|index| {
            (
                llvm!(LLVMValueMetadataEntriesGetKind(entries, index)),
                llvm!(LLVMValueMetadataEntriesGetMetadata(entries, index)),
            )
        })
        .collect();
    llvm!(LLVMDisposeValueMetadataEntries(entries));
    attachments
}
