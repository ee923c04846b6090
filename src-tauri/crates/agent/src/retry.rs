//! When and how long to wait before a request is sent again.

use std::time::Duration;

use assay_model::ModelError;

/// Requests for one turn, the first included.
const TRIES: u32 = 5;
/// The first wait; each further one is twice as long, with a random part.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// A model that is being loaded is asked for this often, for ten minutes in all.
const LOADING_TRIES: u32 = 120;
const LOADING_WAIT: Duration = Duration::from_secs(5);
/// A wait that the provider asks for is kept up to this; a longer one pauses the run instead.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// How long to wait after the `failed`th failure, or `None` when to give up.
pub(crate) fn wait_after(error: &ModelError, failed: u32) -> Option<Duration> {
    let tries = if matches!(error, ModelError::Loading(_)) { LOADING_TRIES } else { TRIES };
    if !error.is_transient() || failed >= tries {
        return None;
    }
    match error {
        ModelError::Loading(_) => Some(LOADING_WAIT),
        ModelError::RateLimited { retry_after: Some(asked) } => (*asked <= LONGEST_WAIT).then_some(*asked),
        _ => Some(FIRST_WAIT * 2u32.pow(failed - 1)).map(|wait| wait.mul_f64(0.75 + fastrand::f64() / 2.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_097_waits_are_as_asked_grow_by_themselves_and_end() {
        let asked = |s| ModelError::RateLimited { retry_after: Some(Duration::from_secs(s)) };
        assert_eq!(wait_after(&asked(30), 1), Some(Duration::from_secs(30)));
        assert_eq!(wait_after(&asked(7200), 1), None);
        let failed = ModelError::Server("500".into());
        for (failures, low, high) in [(1, 0.7, 1.3), (2, 1.4, 2.6), (4, 5.9, 10.1)] {
            let wait = wait_after(&failed, failures).unwrap().as_secs_f64();
            assert!((low..high).contains(&wait), "{failures}: {wait}");
        }
        assert_eq!(wait_after(&failed, 5), None);
        let loading = ModelError::Loading("503".into());
        assert_eq!(wait_after(&loading, 30), Some(LOADING_WAIT), "a large model takes minutes to be loaded");
        assert_eq!(wait_after(&loading, LOADING_TRIES), None);
        assert_eq!(wait_after(&ModelError::WrongKey(String::new()), 1), None);
    }
}
