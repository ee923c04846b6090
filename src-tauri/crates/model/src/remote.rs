//! A model behind an address, in any wire format.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Response;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::address::Reach;
use crate::answer::Answer;
use crate::config::RemoteConfig;
use crate::context;
use crate::dialect::{Dialect, Thoughts};
use crate::estimate;
use crate::listing::{self, ListedModel};
use crate::message::Message;
use crate::model::{
    Capabilities, Delta, DeltaSink, Model, ModelCard, ModelError, Obstacle, Sending, ToolUse, Turn,
    TurnRequest,
};
use crate::text_protocol;
use crate::transport::{Delivery, Transport, read_failure, silence};
use crate::wire::{Ask, Images};

const CHECK_LIMIT: Duration = Duration::from_secs(15);

/// Conversations of fewer tokens than this are not suspected of being cut: every server reads so much.
const SHORTEST_CUT: u64 = 2000;

/// A server that refuses one form after the other is asked no more often than this for one answer.
const TRIES: u32 = 6;

/// A model behind an address. Asks nothing of the network yet; refuses a base URL that is no web address
/// and a certificate file that cannot be read.
pub fn connect(config: RemoteConfig) -> Result<Box<dyn Model>, ModelError> {
    Remote::new(config).map(|remote| Box::new(remote) as Box<dyn Model>)
}

/// The models that a server offers; none where it has no list. The config's model is not looked at.
pub async fn list_models(config: RemoteConfig) -> Result<Vec<ListedModel>, ModelError> {
    let remote = Remote::new(config)?;
    let rows = remote.within_limit(listing::rows(&remote.transport)).await?;
    Ok(rows.unwrap_or_default())
}

/// A model behind an address. It learns from a server's refusals how that server wants its requests
/// written, and keeps to it.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) config: RemoteConfig,
    pub(crate) transport: Transport,
    dialect: Mutex<Dialect>,
}

impl Remote {
    pub(crate) fn new(config: RemoteConfig) -> Result<Self, ModelError> {
        let transport = Transport::new(&config)?;
        let dialect = Mutex::new(Dialect::from_learnt(config.learnt.as_ref()));
        Ok(Self { config, transport, dialect })
    }

    fn dialect(&self) -> Dialect {
        *self.dialect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, dialect: Dialect) {
        *self.dialect.lock().unwrap_or_else(PoisonError::into_inner) = dialect;
    }

    pub(crate) fn tool_use(&self) -> ToolUse {
        self.config.tools.or(self.dialect().tools).unwrap_or_default()
    }

    /// Asks once, and reads the answer to its end.
    pub(crate) async fn answer(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(Turn, Delivery), ModelError> {
        let deadline = self.transport.first_piece_deadline();
        let response = self.open(request, deadline, sink).await?;
        let mut answer = Answer::new(request, self.tool_use());
        let mut reader = self.config.wire.format().reader();
        let mut take = |piece: &Value| {
            let progress = reader.push(piece, &mut answer, sink);
            let progress = progress.map_err(|failure| failure.into_error(self.transport.key()))?;
            answer.check_size()?;
            Ok(progress)
        };
        let delivery = self.transport.read_answer(response, deadline, &mut take).await?;
        let turn = answer.finish(sink);
        self.notice_cut(request, &turn).await?;
        Ok((turn, delivery))
    }

    /// Some servers leave out the beginning of what is too long for them and say nothing. Far fewer tokens
    /// read than sent show it, unless the server's context is long enough and it merely counts otherwise.
    async fn notice_cut(&self, request: &TurnRequest, turn: &Turn) -> Result<(), ModelError> {
        let sent = estimate::tokens(request);
        let Some(read) = turn.usage.map(|usage| usage.input_tokens).filter(|read| *read > 0) else {
            return Ok(());
        };
        if sent < SHORTEST_CUT || read.saturating_mul(2) > sent {
            return Ok(());
        }
        let is_first = request.messages.iter().all(|message| !matches!(message, Message::Assistant(_)));
        let is_too_long = match self.context_tokens().await {
            Some(context) => context < sent,
            // A server that leaves out what it has in its cache counts little too, but not at first.
            None => is_first && self.transport.address().reach() != Reach::Internet,
        };
        if is_too_long { Err(ModelError::Cut { sent, read }) } else { Ok(()) }
    }

    /// Sends the request, once more for each point of form that the server points out.
    async fn open(
        &self,
        request: &TurnRequest,
        deadline: Instant,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Response, ModelError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let dialect = self.dialect();
            let body = self.body(request, dialect);
            let text = body.to_string();
            sink(Delta::Sending(Sending { host: self.transport.address().host(), body: text.clone() }));
            let url = self.transport.address().below(self.config.wire.format().path());
            let response = self.transport.post(url, text, deadline).await?;
            if response.status().is_success() {
                return Ok(response);
            }
            let failure = read_failure(response).await;
            let dialect = dialect.noting(&failure);
            self.learn(dialect);
            match dialect.after(&failure, &body) {
                Some(next) if tries < TRIES => {
                    tracing::debug!(?next, "the server wants its requests written otherwise");
                    self.learn(next);
                }
                _ => return Err(failure.into_error(self.transport.key())),
            }
        }
    }

    /// Whether the model is shown pictures.
    pub(crate) fn images(&self) -> Images {
        if self.config.images { self.dialect().images } else { Images::LeftOut }
    }

    fn body(&self, request: &TurnRequest, dialect: Dialect) -> Value {
        let in_text = match self.tool_use() {
            ToolUse::Calls => None,
            ToolUse::Text => Some(text_protocol::written(request)),
        };
        self.config.wire.format().body(&Ask {
            model: &self.config.model,
            images: self.images(),
            request: in_text.as_ref().unwrap_or(request),
            dialect,
        })
    }

    async fn within_limit<T>(
        &self,
        question: impl Future<Output = Result<T, ModelError>>,
    ) -> Result<T, ModelError> {
        let answer = timeout(CHECK_LIMIT, question).await;
        answer.map_err(|_| ModelError::Unreachable {
            host: self.transport.address().host(),
            obstacle: Obstacle::NoAnswer,
            reason: silence(CHECK_LIMIT),
        })?
    }

    async fn ask_for_models(&self) -> Result<(), ModelError> {
        let Some(rows) = listing::rows(&self.transport).await? else { return Ok(()) };
        // Azure lists what could be deployed, not under which names it is.
        let listed = rows.iter().any(|row| listing::is_same_model(&row.name, &self.config.model));
        if rows.is_empty() || listed || self.transport.address().is_azure() {
            return Ok(());
        }
        let names = rows.iter().map(|row| row.name.as_str()).collect();
        Err(ModelError::UnknownModel(listing::not_among(&self.config.model, names)))
    }
}

#[async_trait]
impl Model for Remote {
    fn card(&self) -> ModelCard {
        ModelCard {
            name: self.config.model.clone(),
            host: Some(self.transport.address().host()),
            is_ai: true,
            capabilities: Capabilities { images: self.images() == Images::Sent, tools: self.tool_use() },
        }
    }

    /// Reads the list of models. A server without one cannot be checked and passes.
    async fn check(&self) -> Result<(), ModelError> {
        self.within_limit(self.ask_for_models()).await
    }

    /// The server's own word, or what a refusal told. A service's list may promise more than it keeps; of a
    /// server nearby, its owner may have raised the limit since it refused.
    async fn context_tokens(&self) -> Option<u64> {
        let asked = context::context_tokens(&self.transport, &self.config.model).await;
        let told = self.dialect().context_tokens;
        match self.transport.address().reach() {
            Reach::Internet => asked.into_iter().chain(told).min(),
            Reach::ThisComputer | Reach::LocalNetwork => asked.or(told),
        }
    }

    fn learnt(&self) -> Option<Value> {
        let dialect = self.dialect();
        let kept = Dialect { thoughts: Thoughts::default(), images: Images::default(), ..dialect };
        (kept != Dialect::default()).then(|| serde_json::to_value(kept).ok()).flatten()
    }

    fn take_asides(&self) -> Vec<Sending> {
        self.transport.take_asides()
    }

    async fn turn(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError> {
        // Dropping the unfinished answer closes its connection.
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(ModelError::Stopped),
            answer = self.answer(request, sink) => answer.map(|(turn, _)| turn),
        }
    }
}
