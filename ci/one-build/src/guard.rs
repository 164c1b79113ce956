//! Puts mutants into a source, each behind a switch: `crate::mutant::on(7)` says whether the seventh is on.
//!
//! What is added stands between what was there, and nothing of that is changed. An alternative is a copy of the plain source,
//! as at most one mutant is on.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::mutant::{Genre, Mutant};

/// Where a mutant can be switched.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Site {
    /// A function, by what stands between its braces
    Body(Range<usize>),
    /// An expression, of which the mutant changes a part
    Part(Range<usize>),
    /// The end of the pattern of an arm
    Arm(usize),
    /// A guard, and whether it binds names
    Guard(Range<usize>, bool),
    /// What no compiler reads: `||` beside `let`
    Impossible,
}

/// What is known of a source: the switches of mutants by genre and by where they begin. What has none is computed while
/// compiling, or changes how a chain with `let` is read.
#[derive(Default)]
struct Sites {
    found: HashMap<(Genre, usize), Site>,
    /// The operators around this one that would bind otherwise if it were another
    chain: Option<Range<usize>>,
    /// Operands of `&&` beside a `let`
    beside_let: bool,
    constant: bool,
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

fn holds_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) if matches!(binary.op, syn::BinOp::And(_)) => {
            holds_let(&binary.left) || holds_let(&binary.right)
        }
        _ => false,
    }
}

/// Whether an arm takes every value, as `_` and `other` do; `None` is no name for a value.
fn takes_all(arm: &syn::Arm) -> bool {
    let name = |ident: &syn::Ident| ident.to_string().starts_with(|first: char| first.is_lowercase() || first == '_');
    arm.guard.is_none()
        && match &arm.pat {
            syn::Pat::Wild(_) => true,
            syn::Pat::Ident(pattern) => pattern.subpat.is_none() && name(&pattern.ident),
            _ => false,
        }
}

impl Sites {
    fn put(&mut self, genre: Genre, start: usize, site: Site) {
        if !self.constant {
            self.found.insert((genre, start), site);
        }
    }

    fn within(&mut self, constant: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.constant, constant);
        visit(self);
        self.constant = before;
    }

    /// The body of a function, if it has a type with a name: no two expressions are of one `impl Iterator`.
    fn body(&mut self, block: &syn::Block, output: &syn::ReturnType) {
        let named = !matches!(output, syn::ReturnType::Type(_, kind) if matches!(**kind, syn::Type::ImplTrait(_)));
        if let (Some(first), true) = (block.stmts.first(), named) {
            let braces = range(block);
            self.put(Genre::FnValue, range(first).start, Site::Body(braces.start + 1..braces.end - 1));
        }
    }
}

impl<'ast> Visit<'ast> for Sites {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(item.sig.constness.is_some(), |sites| {
            sites.body(&item.block, &item.sig.output);
            visit::visit_item_fn(sites, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(item.sig.constness.is_some(), |sites| {
            sites.body(&item.block, &item.sig.output);
            visit::visit_impl_item_fn(sites, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(false, |sites| {
            item.default.iter().for_each(|block| sites.body(block, &item.sig.output));
            visit::visit_trait_item_fn(sites, item);
        });
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within(true, |sites| visit::visit_item_const(sites, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within(true, |sites| visit::visit_item_static(sites, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within(true, |sites| visit::visit_impl_item_const(sites, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within(true, |sites| visit::visit_trait_item_const(sites, item));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.within(true, |sites| visit::visit_variant(sites, variant));
    }

    fn visit_type(&mut self, kind: &'ast syn::Type) {
        self.within(true, |sites| visit::visit_type(sites, kind));
    }

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        self.within(true, |sites| visit::visit_pat(sites, pattern));
    }

    fn visit_expr_const(&mut self, expr: &'ast syn::ExprConst) {
        self.within(true, |sites| visit::visit_expr_const(sites, expr));
    }

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
        self.within(true, |sites| sites.visit_expr(&expr.len));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(false, |sites| visit::visit_expr_closure(sites, closure));
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        let operator = matches!(expr, syn::Expr::Binary(_));
        let chain = operator.then(|| self.chain.clone().unwrap_or_else(|| range(expr)));
        let chain = std::mem::replace(&mut self.chain, chain);
        let beside_let = self.beside_let;
        self.beside_let &= operator;
        visit::visit_expr(self, expr);
        (self.chain, self.beside_let) = (chain, beside_let);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let and = matches!(binary.op, syn::BinOp::And(_));
        let beside_let = and && (self.beside_let || holds_let(&binary.left) || holds_let(&binary.right));
        if beside_let {
            self.put(Genre::BinaryOperator, range(&binary.op).start, Site::Impossible);
            // The operands are conditions of their own.
            for operand in [&binary.left, &binary.right] {
                (self.chain, self.beside_let) = (None, true);
                self.visit_expr(operand);
            }
        } else {
            self.beside_let = false;
            if let Some(chain) = &self.chain {
                self.put(Genre::BinaryOperator, range(&binary.op).start, Site::Part(chain.clone()));
            }
            visit::visit_expr_binary(self, binary);
        }
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.put(Genre::UnaryOperator, range(&unary.op).start, Site::Part(range(unary)));
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        for field in &expr.fields {
            self.put(Genre::StructField, range(field).start, Site::Part(range(expr)));
        }
        visit::visit_expr_struct(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let last = expr.arms.iter().rposition(takes_all);
        for (at, arm) in expr.arms.iter().enumerate() {
            match &arm.guard {
                Some((_, guard)) => {
                    let guarded = Site::Guard(range(&**guard), holds_let(guard));
                    self.put(Genre::MatchArmGuard, range(&**guard).start, guarded);
                }
                // An arm that is left out leaves its values to one that takes all.
                None if last.is_some_and(|last| at < last) => {
                    self.put(Genre::MatchArm, range(arm).start, Site::Arm(range(&arm.pat).end));
                }
                None => {}
            }
        }
        visit::visit_expr_match(self, expr);
    }
}

/// What is put around a part of the source.
struct Edit {
    at: Range<usize>,
    open: String,
    close: &'static str,
    mutant: usize,
}

/// Where a mutant stands in what is written.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its number
    pub mutant: usize,
    /// What was put there for it alone
    pub own: Range<usize>,
    /// This, and what it is put around
    pub all: Range<usize>,
}

/// The source with these mutants in it, where each stands, and those that no compiler reads; those without a switch have no
/// place.
///
/// # Errors
///
/// The source does not parse.
pub fn guarded(source: &str, mutants: &[&Mutant]) -> Result<(String, Vec<Placed>, Vec<usize>), syn::Error> {
    let mut sites = Sites::default();
    sites.visit_file(&syn::parse_file(source)?);
    let (mut edits, mut impossible): (Vec<Edit>, Vec<usize>) = (Vec::new(), Vec::new());
    for mutant in mutants {
        let span = mutant.bytes(source);
        let Some(site) = sites.found.get(&(mutant.genre, span.start)) else { continue };
        let (number, put) = (mutant.number, &mutant.replacement);
        let on = format!("crate::mutant::on({number})");
        let (at, open, close) = match site.clone() {
            Site::Body(at) => (at, format!(" if {on} {{ return {put}; }}"), ""),
            Site::Part(at) => {
                let (before, after) = (&source[at.start..span.start], &source[span.end..at.end]);
                (at, format!("(if {on} {{ {before}{put}{after} }} else {{ "), " })")
            }
            Site::Arm(end) => (end..end, format!(" if !{on}"), ""),
            Site::Guard(at, false) if put == "true" => (at, format!("({on} || "), ")"),
            Site::Guard(at, false) => (at, format!("(!{on} && "), ")"),
            Site::Guard(at, true) if put == "false" => (at, format!("!{on} && "), ""),
            Site::Guard(_, true) => continue,
            Site::Impossible => {
                impossible.push(number);
                continue;
            }
        };
        edits.push(Edit { at, open, close, mutant: number });
    }
    // From outside to inside, so that what opens later closes earlier.
    edits.sort_by_key(|edit| (edit.at.start, std::cmp::Reverse(edit.at.end)));
    let (mut text, mut placed): (String, Vec<Placed>) = (String::new(), Vec::new());
    let (mut open, mut copied): (Vec<usize>, usize) = (Vec::new(), 0);
    for edit in edits.iter().map(Some).chain([None]) {
        let start = edit.map_or(source.len(), |edit| edit.at.start);
        while let Some(&inner) = open.last()
            && edits[inner].at.end <= start
        {
            open.pop();
            text.push_str(&source[copied..edits[inner].at.end]);
            copied = edits[inner].at.end;
            text.push_str(edits[inner].close);
            placed[inner].all.end = text.len();
        }
        text.push_str(&source[copied..start]);
        copied = start;
        if let Some(edit) = edit {
            let own = text.len()..text.len() + edit.open.len();
            text.push_str(&edit.open);
            open.push(placed.len());
            placed.push(Placed { mutant: edit.mutant, all: own.clone(), own });
        }
    }
    Ok((text, placed, impossible))
}
