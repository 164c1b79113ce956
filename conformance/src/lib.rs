//! wirecanon
