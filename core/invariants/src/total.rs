//! P7: total.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Case, Verdict, violated};
use crate::normalizer::{Normalizer, Outcome};

/// Most bytes of output for each byte of input. The worst known growth is a short call that needs a synthetic result.
const GROWTH: usize = 64;

/// Output that even the smallest input may have.
const FLOOR: usize = 4096;

/// No panic, no failure, no refusal of a transcript, no output that is out of proportion.
pub(super) fn total(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let request = case.request();
    match catch_unwind(AssertUnwindSafe(|| normalizer.convert(&request))) {
        Err(panic) => violated("P7", &request, None, format!("it panicked: {}", words(&*panic))),
        Ok(Outcome::Failed(message)) => violated("P7", &request, None, format!("it failed: {message}")),
        Ok(Outcome::Refused { code, message }) if !case.known.may_refuse => {
            violated("P7", &request, None, format!("it refused a transcript ({code}): {message}"))
        }
        Ok(Outcome::Refused { message, .. }) if message.is_empty() => {
            violated("P7", &request, None, "it refused without saying why")
        }
        Ok(Outcome::Output { bytes, .. }) if bytes.len() > case.input.len().saturating_mul(GROWTH) + FLOOR => {
            let message = format!("{} bytes of input became {} bytes", case.input.len(), bytes.len());
            violated("P7", &request, None, message)
        }
        Ok(Outcome::Refused { .. } | Outcome::Output { .. }) => Verdict::Held,
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
