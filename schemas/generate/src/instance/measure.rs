//! How deep and how large the smallest instances are, and what follows from that.

use super::plan::{Field, Kind, NEVER, Node};

/// Characters, about, that an instance may have for which nothing was drawn.
const LARGEST: u64 = 100_000;

/// An instance deeper than this is not made, but where its smallest one is.
pub(super) const DEEPEST: u32 = 200;

/// What was found out about the nodes as a whole.
pub(super) struct Measured {
    /// The first choice whose smallest instance is too large, and the keyword that makes it so
    pub(super) large: Option<(u32, &'static str)>,
    /// There may be instances, but deeper than is taken
    pub(super) deep: bool,
}

/// Fills in the depth of each node, [`NEVER`] where there is no instance, and takes out what has none.
///
/// Alternatives whose smallest instance is too large or too deep are taken out as well.
pub(super) fn measure(nodes: &mut [Node]) -> Measured {
    let mut measured = Measured { large: None, deep: false };
    // Each round takes out what is too large by itself; then what stands on it may be deeper, or not be at all.
    loop {
        measured.deep |= !depths(nodes);
        let heavy = heavy(nodes);
        let Some(first) = heavy.first() else { break };
        let is_of = |node: &Node| matches!(&node.kind, Kind::OneOf(ways) if ways.contains(first));
        let choice = nodes.iter().position(is_of).map_or(*first, |choice| choice as u32);
        measured.large = measured.large.or(Some((choice, keyword(&nodes[*first as usize].kind))));
        for number in heavy {
            nodes[number as usize].kind = Kind::OneOf(Vec::new());
        }
        for node in &mut *nodes {
            node.depth = NEVER;
        }
    }
    prune(nodes);
    measured
}

/// How deep the smallest instance of each node is. False when some may be deeper than is taken.
fn depths(nodes: &mut [Node]) -> bool {
    // A pass settles at least one layer: a choice, or what it is between.
    for _ in 0..2 * DEEPEST + 4 {
        let mut changed = false;
        for number in (0..nodes.len()).rev() {
            let depth = depth(&nodes[number].kind, nodes);
            if depth < nodes[number].depth {
                nodes[number].depth = depth;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// The nodes whose smallest instances are too large, though what they hold is not.
fn heavy(nodes: &[Node]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..nodes.len() as u32).filter(|number| nodes[*number as usize].depth != NEVER).collect();
    // What an instance holds is shallower than itself, and a choice as deep as what is chosen.
    order.sort_by_key(|number| {
        let node = &nodes[*number as usize];
        (node.depth, matches!(node.kind, Kind::OneOf(_)))
    });
    let mut sizes = vec![0_u64; nodes.len()];
    let mut heavy = Vec::new();
    for number in order {
        let size = size(&nodes[number as usize].kind, nodes, &sizes);
        if size > LARGEST {
            heavy.push(number);
        }
        // Those above it are not at fault.
        sizes[number as usize] = if size > LARGEST { 0 } else { size };
    }
    heavy
}

/// Characters, about, of the instance for which nothing is drawn.
fn size(kind: &Kind, nodes: &[Node], sizes: &[u64]) -> u64 {
    let of = |node: u32| sizes[node as usize] + 1;
    let depth = |node: &u32| nodes[*node as usize].depth;
    match kind {
        Kind::Fixed(text) => text.len() as u64,
        Kind::Number(_) => 1,
        Kind::OneOf(ways) => ways.iter().min_by_key(|way| depth(way)).map_or(0, |way| sizes[*way as usize]),
        Kind::Text(text) => text.least as u64,
        Kind::Array(array) => {
            let prefix = &array.prefix[..array.least.min(array.prefix.len())];
            let must = array.must.iter().map(|(node, times)| of(*node) * *times as u64).sum::<u64>();
            let count: usize = prefix.len() + array.must.iter().map(|(_, times)| times).sum::<usize>();
            let rest = array.rest.map_or(0, |rest| of(rest) * array.least.saturating_sub(count) as u64);
            prefix.iter().map(|node| of(*node)).sum::<u64>() + must + rest
        }
        Kind::Object(object) => {
            let (required, others) = object.fields.split_at(object.required);
            let of = |field: &Field| of(field.node) + field.key.len() as u64;
            let mut others: Vec<&Field> = others.iter().filter(|field| depth(&field.node) != NEVER).collect();
            others.sort_by_key(|field| depth(&field.node));
            let missing = object.least.saturating_sub(required.len());
            required.iter().map(of).sum::<u64>() + others.into_iter().take(missing).map(of).sum::<u64>()
        }
    }
}

/// The keyword that makes an instance large.
fn keyword(kind: &Kind) -> &'static str {
    match kind {
        Kind::Array(array) if !array.must.is_empty() => "contains",
        Kind::Array(_) => "minItems",
        Kind::Object(object) if object.required > 0 => "required",
        Kind::Object(_) => "minProperties",
        Kind::Text(_) => "minLength",
        Kind::Fixed(_) => "enum",
        Kind::OneOf(_) | Kind::Number(_) => "",
    }
}

fn depth(kind: &Kind, nodes: &[Node]) -> u32 {
    let of = |node: &u32| nodes[*node as usize].depth;
    let above = |deepest: u32| if deepest == NEVER { NEVER } else { deepest + 1 };
    match kind {
        Kind::Fixed(_) | Kind::Number(_) | Kind::Text(_) => 1,
        Kind::OneOf(ways) => ways.iter().map(of).min().unwrap_or(NEVER),
        Kind::Array(array) => {
            let front = array.least.min(array.prefix.len());
            let must: usize = array.must.iter().map(|(_, times)| times).sum();
            let mut deepest = array.prefix[..front].iter().map(of).max().unwrap_or(0);
            deepest = deepest.max(array.must.iter().map(|(node, _)| of(node)).max().unwrap_or(0));
            if array.least > array.prefix.len() + must {
                deepest = deepest.max(array.rest.as_ref().map_or(NEVER, of));
            }
            above(deepest)
        }
        Kind::Object(object) => {
            let (required, others) = object.fields.split_at(object.required);
            let mut deepest = required.iter().map(|field| of(&field.node)).max().unwrap_or(0);
            if let Some(missing) = object.least.checked_sub(object.required + 1) {
                let mut others: Vec<u32> = others.iter().map(|field| of(&field.node)).collect();
                others.sort_unstable();
                deepest = deepest.max(others.get(missing).copied().unwrap_or(NEVER));
            }
            above(deepest)
        }
    }
}

/// Takes out what has no instance, and puts the shallow alternatives first.
fn prune(nodes: &mut [Node]) {
    let depths: Vec<u32> = nodes.iter().map(|node| node.depth).collect();
    let possible = |node: u32| depths[node as usize] != NEVER;
    for node in nodes {
        match &mut node.kind {
            Kind::OneOf(ways) => {
                ways.retain(|way| possible(*way));
                ways.sort_by_key(|way| depths[*way as usize]);
            }
            Kind::Array(array) => {
                if let Some(end) = array.prefix.iter().position(|item| !possible(*item)) {
                    array.prefix.truncate(end);
                    array.most = Some(array.most.unwrap_or(end).min(end));
                }
                array.rest = array.rest.filter(|rest| possible(*rest));
            }
            Kind::Object(object) => object.fields.retain(|field| possible(field.node)),
            Kind::Fixed(_) | Kind::Number(_) | Kind::Text(_) => {}
        }
    }
}
