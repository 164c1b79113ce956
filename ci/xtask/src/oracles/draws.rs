//! Draws that hang on nothing but what is drawn from: another case adds its own, and changes no other.

use super::random::Random;

/// The items of one round, each with numbers of its own, in an order that each item has by itself: where a round is cut
/// short, a further item can only push others out.
pub(crate) fn round<T>(
    pool: &[T],
    seed: u64,
    round: usize,
    name: impl Fn(&T) -> String,
) -> impl Iterator<Item = (Random, &T)> {
    let own = |item| Random::new(seed, &format!("{round} {}", name(item)));
    let mut drawn: Vec<_> =
        pool.iter().map(own).zip(pool).map(|(mut random, item)| (random.next(), random, item)).collect();
    drawn.sort_by_key(|(rank, ..)| *rank);
    drawn.into_iter().map(|(_, random, item)| (random, item))
}

/// One of these: a further item takes its share of the draws from all, and the others stay where they are.
pub(crate) fn one<'p, T>(pool: &'p [T], seed: u64, draw: &str, name: impl Fn(&T) -> &str) -> Option<&'p T> {
    pool.iter().min_by_key(|item| Random::new(seed, &format!("{draw} {}", name(item))).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pool: &[&str]) -> Vec<(u64, String)> {
        round(pool, 1, 3, |item| (*item).to_owned())
            .map(|(mut random, item)| (random.next(), (*item).to_owned()))
            .collect()
    }

    #[test]
    fn a_further_item_leaves_the_others_as_they_are() {
        let few = drawn(&["a", "b", "c"]);
        let mut more = drawn(&["d", "c", "b", "a", "e"]);
        assert_eq!(more.len(), 5);
        more.retain(|one| few.contains(one));
        assert_eq!(more, few);
    }

    #[test]
    fn a_further_item_takes_its_share_of_the_draws() {
        let pick = |pool: &[&'static str], draw: usize| *one(pool, 1, &draw.to_string(), |item| item).unwrap();
        let (few, more) = (["a", "b", "c"], ["a", "d", "b", "c"]);
        let moved = (0..400).filter(|draw| pick(&few, *draw) != pick(&more, *draw)).count();
        assert!((60..140).contains(&moved), "{moved}");
        assert!((0..400).all(|draw| ["d", pick(&few, draw)].contains(&pick(&more, draw))));
        assert_eq!(one(&[], 1, "0", |item: &&str| item), None);
    }
}
