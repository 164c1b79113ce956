//! wirecanon-benches
