//! Intervals between the frames of a page, as its own animation callbacks see them.

use fantoccini::Client;
use serde_json::Value;

use crate::table::Row;

/// A frame that took longer is seen as a stutter.
const LONG_MS: f64 = 50.0;

/// Begins to note frames. With a speed in pixels a second, scrolls what scrolls furthest to its end meanwhile.
pub(crate) const WATCH: &str = "
    const [speed] = arguments;
    const room = (box) => box.scrollHeight - box.clientHeight;
    const boxes = [document.scrollingElement, ...document.querySelectorAll('main, main *')]
        .filter((box) => box === document.scrollingElement
            || ['auto', 'scroll'].includes(getComputedStyle(box).overflowY));
    const box = boxes.reduce((far, box) => (room(box) > room(far) ? box : far));
    const watch = { frames: [], ended: false, height: room(box) };
    window.watch = watch;
    let last, begun;
    const frame = () => {
        if (window.watch !== watch) return;
        const now = performance.now();
        if (last !== undefined) watch.frames.push(now - last);
        last = now;
        begun ??= now;
        if (speed !== null) {
            const to = ((now - begun) / 1000) * speed;
            box.scrollTo({ top: to, behavior: 'instant' });
            watch.ended = to >= room(box);
        }
        if (!watch.ended) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
";

const ENDED: &str = "
    const done = arguments[0];
    const look = () => (window.watch.ended ? done() : setTimeout(look, 100));
    look();
";

/// What was noted.
#[derive(Debug, Clone)]
pub(crate) struct Frames {
    intervals_ms: Vec<f64>,
    /// Pixels that there were to scroll.
    pub(crate) height: u64,
}

impl Frames {
    /// Ends the noting.
    pub(crate) async fn taken(client: &Client) -> Self {
        let script = "const found = window.watch; window.watch = null; return [found.frames, found.height]";
        let found = client.execute(script, Vec::new()).await.unwrap();
        let intervals_ms = found[0].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        Self { intervals_ms, height: found[1].as_u64().unwrap() }
    }

    /// Scrolls from the top to the end at so many pixels a second.
    pub(crate) async fn scrolled(client: &Client, speed: f64) -> Self {
        client.execute(WATCH, vec![Value::from(speed)]).await.unwrap();
        client.execute_async(ENDED, Vec::new()).await.unwrap();
        Self::taken(client).await
    }

    fn long(&self) -> f64 {
        let long = self.intervals_ms.iter().filter(|interval| **interval > LONG_MS).count();
        100.0 * long as f64 / self.intervals_ms.len() as f64
    }

    fn longest(&self) -> f64 {
        self.intervals_ms.iter().copied().fold(0.0, f64::max)
    }

    fn mean(&self) -> f64 {
        self.intervals_ms.iter().sum::<f64>() / self.intervals_ms.len() as f64
    }

    fn words(&self) -> String {
        format!(
            "{:.1} ms a frame, {:.1} % above {LONG_MS} ms, the longest {:.0} ms",
            self.mean(),
            self.long(),
            self.longest()
        )
    }

    /// A row that compares the mean frame.
    pub(crate) fn beside(&self, what: &str, floor: &Self, name: &str) -> Row {
        Row::new(
            format!("frames {what}"),
            self.words(),
            format!("{}, {name}", floor.words()),
            self.mean() / floor.mean(),
        )
    }
}
