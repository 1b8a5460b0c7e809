//! The macros in which rules are written: one line of algebra each.
//!
//! ```text
//! rule!(Sin(x) -> r { x: cos(x) })                                     one result: a partial an operand
//! rule!(Powi(x, n: int) -> r { x: n.to_float() * powi(x, n - 1) })     integer operands are marked
//! rule!(Sincos(x) -> s, c { s / x: c, c / x: -s })                     several results: both are named
//! complex_rule!(Csin(z) -> r { z: ccos(z) })                           holomorphic: one complex partial
//! ```
//! A partial that is zero is said: `x: 0.0`.

/// One rule over real numbers.
macro_rules! rule {
    ($function:ident($($operand:ident $(: $operand_kind:ident)?),*)
     -> $result:ident { $($of:ident: $partial:expr),* $(,)? }) => {
        rule!(@build $function ($($operand $(: $operand_kind)?),*) ($result) { $($result / $of: $partial),* })
    };
    ($function:ident($($operand:ident $(: $operand_kind:ident)?),*)
     -> $($result:ident $(: $result_kind:ident)?),+ { $($row:ident / $of:ident: $partial:expr),* $(,)? }) => {
        rule!(@build $function ($($operand $(: $operand_kind)?),*) ($($result $(: $result_kind)?),+)
            { $($row / $of: $partial),* })
    };
    (@build $function:ident ($($operand:ident $(: $operand_kind:ident)?),*)
     ($($result:ident $(: $result_kind:ident)?),+) { $($row:ident / $of:ident: $partial:expr),* }) => {{
        let mut index = 0..;
        $(let $operand = rule!(@operand index.next().unwrap_or_default() $(, $operand_kind)?);)*
        let mut index = 0..;
        $(let $result = rule!(@result index.next().unwrap_or_default() $(, $result_kind)?);)+
        $(let $operand = &$operand;)*
        $(let $result = &$result;)+
        let _ = ($($operand,)* $($result,)+);
        $crate::rules::table::RuleLine::new(
            $crate::rules::function::Function::$function,
            vec![$((stringify!($operand), rule!(@kind $($operand_kind)?))),*],
            vec![$((stringify!($result), rule!(@kind $($result_kind)?))),+],
        )
        $(.partial(stringify!($row), stringify!($of), $partial))*
    }};
    (@operand $index:expr) => { $crate::rules::expr::Expr::operand($index) };
    (@operand $index:expr, int) => { $crate::rules::expr::IntExpr::operand($index) };
    (@operand $index:expr, opaque) => { $index };
    (@result $index:expr) => { $crate::rules::expr::Expr::result($index) };
    (@result $index:expr, int) => { $crate::rules::expr::IntExpr::result($index) };
    (@kind) => { $crate::rules::function::Kind::Float };
    (@kind int) => { $crate::rules::function::Kind::Int };
    (@kind opaque) => { $crate::rules::function::Kind::Opaque };
}

/// One rule over complex numbers that is holomorphic in each operand: the real partials follow from the
/// complex ones by Cauchy–Riemann.
macro_rules! complex_rule {
    ($function:ident($($operand:ident $(: $operand_kind:ident)?),*)
     -> $result:ident { $($of:ident: $partial:expr),* $(,)? }) => {{
        let mut index = 0;
        $(let $operand = complex_rule!(@operand index $(, $operand_kind)?);)*
        let _ = index;
        let $result = $crate::rules::complex_expr::ComplexExpr::result(0);
        $(let $operand = &$operand;)*
        let $result = &$result;
        let _ = ($($operand,)* $result);
        let operands = [$(complex_rule!(@names $operand $(, $operand_kind)?)),*].concat();
        let results = vec![
            (concat!(stringify!($result), ".re"), $crate::rules::function::Kind::Float),
            (concat!(stringify!($result), ".im"), $crate::rules::function::Kind::Float),
        ];
        let line = $crate::rules::table::RuleLine::new(
            $crate::rules::function::Function::$function, operands, results,
        );
        $(
            let derivative: $crate::rules::complex_expr::ComplexExpr = $partial.into();
            let [[re_re, re_im], [im_re, im_im]] = derivative.cauchy_riemann();
            let line = line
                .complex_partial(stringify!($of), stringify!($partial))
                .partial(concat!(stringify!($result), ".re"), concat!(stringify!($of), ".re"), re_re)
                .partial(concat!(stringify!($result), ".re"), concat!(stringify!($of), ".im"), re_im)
                .partial(concat!(stringify!($result), ".im"), concat!(stringify!($of), ".re"), im_re)
                .partial(concat!(stringify!($result), ".im"), concat!(stringify!($of), ".im"), im_im);
        )*
        line
    }};
    (@operand $index:ident) => {{
        $index += 2;
        $crate::rules::complex_expr::ComplexExpr::operand($index - 2)
    }};
    (@operand $index:ident, int) => {{
        $index += 1;
        $crate::rules::expr::IntExpr::operand($index - 1)
    }};
    (@names $operand:ident) => {
        vec![
            (concat!(stringify!($operand), ".re"), $crate::rules::function::Kind::Float),
            (concat!(stringify!($operand), ".im"), $crate::rules::function::Kind::Float),
        ]
    };
    (@names $operand:ident, int) => {
        vec![(stringify!($operand), $crate::rules::function::Kind::Int)]
    };
}
