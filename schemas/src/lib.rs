//! wirecanon-schemas
