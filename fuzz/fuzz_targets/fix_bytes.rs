#![cfg_attr(fuzzing, no_main)]
wirecanon_fuzz::target!(fix_bytes, json);
