#![cfg_attr(fuzzing, no_main)]
wirecanon_fuzz::target!(target_file);
