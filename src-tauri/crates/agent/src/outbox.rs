//! What was sent, kept without saying everything again: a request begins as the one before it.

use assay_model::Sending;

use crate::event::{Event, Recipient};

/// The request that was sent last.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    last: String,
    turn: u32,
}

impl Outbox {
    /// The event that a request is kept as.
    pub(crate) fn entry(&mut self, turn: u32, sending: Sending) -> Event {
        let Sending { host, body } = sending;
        let same = self.last.bytes().zip(body.bytes()).take_while(|(before, now)| before == now).count();
        let same = (0..=same).rev().find(|place| body.is_char_boundary(*place)).unwrap_or(0);
        let event = Event::RequestSent {
            turn,
            host,
            bytes: body.len() as u64,
            as_before: same as u64,
            text: body[same..].to_owned(),
            to: Recipient::Model,
        };
        (self.last, self.turn) = (body, turn);
        event
    }

    /// The turn of the last request.
    pub(crate) fn turn(&self) -> u32 {
        self.turn
    }
}

/// The whole texts of the requests among a run's events, in order.
pub fn requests(events: &[Event]) -> Vec<Request> {
    let mut last = String::new();
    let mut requests = Vec::new();
    for event in events {
        if let Event::RequestSent { turn, host, as_before, text, to, .. } = event {
            let same = usize::try_from(*as_before).unwrap_or(usize::MAX);
            let body = format!("{}{text}", last.get(..same).unwrap_or_default());
            if *to == Recipient::Model {
                last.clone_from(&body);
            }
            requests.push(Request { turn: *turn, host: host.clone(), body });
        }
    }
    requests
}

/// A request that left, as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The turn it was made for.
    pub turn: u32,
    /// The host it went to.
    pub host: String,
    /// The whole body.
    pub body: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_can_be_read_again_as_it_was() {
        let bodies = ["{\"a\":\"é\"}", "{\"a\":\"è\",\"b\":2}", "{\"a\":\"è\"}", ""];
        let mut outbox = Outbox::default();
        let mut events: Vec<Event> = bodies
            .iter()
            .map(|body| outbox.entry(1, Sending { host: "h".into(), body: (*body).into() }))
            .collect();
        let read: Vec<String> = requests(&events).into_iter().map(|request| request.body).collect();
        assert_eq!(read, bodies);
        let sent = assay_sandbox::Sent { host: "s".into(), text: "{\"a\"".into(), bytes: 9 };
        events.insert(2, Event::sent_to_sandbox(outbox.turn(), sent));
        let read: Vec<String> = requests(&events).into_iter().map(|request| request.body).collect();
        assert_eq!(read, [bodies[0], bodies[1], "{\"a\"", bodies[2], bodies[3]]);
        events.remove(2);
        assert!(
            matches!(&events[2], Event::RequestSent { as_before: 9, text, .. } if text == "}"),
            "{events:?}"
        );
    }
}
