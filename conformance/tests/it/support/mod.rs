pub(crate) mod asking;
pub(crate) mod chromium;
#[cfg(unix)]
pub(crate) mod commands;
pub(crate) mod golden;
pub(crate) mod local;
pub(crate) mod narrow;
pub(crate) mod page;
pub(crate) mod program;
pub(crate) mod running;
pub(crate) mod side_by_side;
pub(crate) mod small;
