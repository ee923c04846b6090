//! Puts each event on disk, then shows it.

use assay_agent::{Event, Recorder};
use assay_store::Store;

use crate::event::RunEvent;
use crate::open_run::loop_events;

/// Shows events to whoever watches.
pub(crate) type Watcher<'a> = dyn FnMut(&RunEvent) + Send + 'a;

/// The journal of one run.
pub(crate) struct Journal<'a> {
    store: &'a mut Store,
    run: String,
    watcher: &'a mut Watcher<'a>,
}

impl<'a> Journal<'a> {
    pub(crate) fn new(store: &'a mut Store, run: String, watcher: &'a mut Watcher<'a>) -> Self {
        Self { store, run, watcher }
    }

    pub(crate) fn keep(&mut self, event: impl Into<RunEvent>) -> Result<(), String> {
        let event = event.into();
        if !event.is_live_only() {
            let body = serde_json::to_string(&event).map_err(|error| error.to_string())?;
            self.store.append(&self.run, &now(), &body).map_err(|error| error.to_string())?;
        }
        (self.watcher)(&event);
        Ok(())
    }
}

impl Recorder for Journal<'_> {
    fn record(&mut self, event: Event) -> Result<(), String> {
        self.keep(event)
    }

    fn past(&self) -> Result<Vec<Event>, String> {
        loop_events(self.store, &self.run).map_err(|problem| problem.detail)
    }
}

/// The time as RFC 3339 in UTC, to the millisecond.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
