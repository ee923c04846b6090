//! The server.

use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use axum::routing::post;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::formats::{Format, stream_of};
use crate::reply::{Content, End, Reply};

/// A model server on loopback that answers each request with the next reply of its script, and
/// with HTTP 500 when the script is at its end. It lives until it is dropped. It runs on a thread
/// of its own, so that tests which block can use it too.
#[derive(Debug)]
pub struct ScriptedServer {
    address: SocketAddr,
    stage: Arc<Stage>,
    runtime: Option<Runtime>,
}

/// A request for an answer, as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The route.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Value,
}

#[derive(Debug)]
struct Stage {
    script: Mutex<VecDeque<Reply>>,
    /// What is answered to questions other than for answers, by their path.
    places: Mutex<BTreeMap<String, Reply>>,
    requests: Mutex<Vec<Recorded>>,
    /// Method and path of those questions.
    asides: Mutex<Vec<String>>,
    open: AtomicUsize,
}

impl ScriptedServer {
    /// The one model that the server lists, unless told otherwise. It answers to every name.
    pub const MODEL: &str = "scripted";

    /// Starts a server on a free port.
    pub fn start(script: Vec<Reply>) -> Self {
        let models = json!({"object": "list", "data": [{"id": Self::MODEL, "object": "model"}]});
        let stage = Arc::new(Stage {
            script: Mutex::new(script.into()),
            places: Mutex::new(BTreeMap::from([("/v1/models".to_owned(), Reply::status(200, &[], models))])),
            requests: Mutex::default(),
            asides: Mutex::default(),
            open: AtomicUsize::new(0),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        listener.set_nonblocking(true).expect("a listener without blocking");
        let address = listener.local_addr().expect("the listener's address");
        let routes = Router::new()
            .route("/v1/chat/completions", post(chat_completions))
            .route("/v1/responses", post(responses))
            .route("/v1/messages", post(messages))
            .fallback(place)
            .layer(DefaultBodyLimit::disable())
            .with_state(stage.clone());
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            axum::serve(listener, routes).await.expect("a server");
        });
        Self { address, stage, runtime: Some(runtime) }
    }

    /// The base URL, `/v1` included.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests for answers so far, in order.
    pub fn requests(&self) -> Vec<Recorded> {
        locked(&self.stage.requests).clone()
    }

    /// Method and path of all that was asked beside, in order.
    pub fn asides(&self) -> Vec<String> {
        locked(&self.stage.asides).clone()
    }

    /// How many replies of the script are left.
    pub fn remaining(&self) -> usize {
        locked(&self.stage.script).len()
    }

    /// How many answers are under way: begun, not whole, and the client still there.
    pub fn open_answers(&self) -> usize {
        self.stage.open.load(Ordering::SeqCst)
    }

    /// Answers the list of models with this from now on.
    pub fn list_models(&self, reply: Reply) {
        self.answer_at("/v1/models", reply);
    }

    /// Answers whatever is asked at this path, such as `/props`, with this from now on. All other paths
    /// are not found.
    pub fn answer_at(&self, path: &str, reply: Reply) {
        locked(&self.stage.places).insert(path.to_owned(), reply);
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn place(State(stage): State<Arc<Stage>>, method: Method, uri: Uri) -> Response<Body> {
    locked(&stage.asides).push(format!("{method} {}", uri.path()));
    let reply = locked(&stage.places).get(uri.path()).cloned();
    let reply = reply.unwrap_or_else(|| Reply::status(404, &[], json!({"error": "not found"})));
    perform(reply, 0, Format::ChatCompletions, stage).await
}

async fn chat_completions(stage: State<Arc<Stage>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    answer(stage.0, Format::ChatCompletions, &headers, &body).await
}

async fn responses(stage: State<Arc<Stage>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    answer(stage.0, Format::Responses, &headers, &body).await
}

async fn messages(stage: State<Arc<Stage>>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    answer(stage.0, Format::Messages, &headers, &body).await
}

async fn answer(stage: Arc<Stage>, format: Format, headers: &HeaderMap, body: &[u8]) -> Response<Body> {
    let headers = headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let length = body.len();
    let body = serde_json::from_slice(body).unwrap_or_else(|error| json!({"not JSON": error.to_string()}));
    let (request, reply) = {
        let mut requests = locked(&stage.requests);
        requests.push(Recorded { path: format.path().into(), headers: headers.collect(), body });
        (requests.len(), locked(&stage.script).pop_front())
    };
    let reply = reply.unwrap_or_else(|| {
        let message = format!("the script has no reply for request {request}");
        Reply::status(500, &[], json!({"error": {"message": message, "type": "script_exhausted"}}))
    });
    perform(reply.counted(length), request, format, stage).await
}

async fn perform(reply: Reply, request: usize, format: Format, stage: Arc<Stage>) -> Response<Body> {
    let under_way = UnderWay::new(stage);
    tokio::time::sleep(reply.wait).await;
    let bytes = match &reply.content {
        Content::Answer(answer) => stream_of(answer, format, request),
        Content::Raw(bytes) => bytes.clone(),
        Content::Plain { status, headers, body } => {
            tokio::time::sleep(reply.pause).await;
            return plain(*status, headers, body.clone());
        }
        Content::Silence => std::future::pending().await,
    };
    let pieces = pieces(&bytes, reply.end, reply.pause);
    let pieces = pieces.map(move |piece| {
        let _ = &under_way;
        piece
    });
    Response::builder()
        .header("content-type", "text/event-stream; charset=utf-8")
        .body(Body::from_stream(pieces))
        .expect("a response")
}

fn plain(status: u16, headers: &[(String, String)], body: String) -> Response<Body> {
    let mut response = Response::builder().status(StatusCode::from_u16(status).expect("a status"));
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        response = response.header("content-type", "application/json");
    }
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(Body::from(body)).expect("a response")
}

fn pieces(
    bytes: &[u8],
    end: End,
    pause: Duration,
) -> impl Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    let sent = if end == End::Whole { bytes } else { &bytes[..bytes.len() / 2] };
    let paced = stream::iter(Reply::pieces(sent)).then(move |piece| async move {
        // A sleep of no length would not give the connection the time to send.
        if pause.is_zero() {
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(pause).await;
        }
        Ok(piece)
    });
    let last = stream::once(async move {
        match end {
            End::Whole => None,
            End::Cut => Some(Err(std::io::Error::other("the script breaks the connection here"))),
            End::Hang => std::future::pending().await,
        }
    });
    paced.chain(last.filter_map(std::future::ready))
}

/// Counts an answer for as long as it is under way.
struct UnderWay(Arc<Stage>);

impl UnderWay {
    fn new(stage: Arc<Stage>) -> Self {
        stage.open.fetch_add(1, Ordering::SeqCst);
        Self(stage)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
