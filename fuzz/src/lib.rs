//! wirecanon-fuzz
