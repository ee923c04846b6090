//! An engine on another computer, reached as Docker's client reaches it: the system's `ssh` runs
//! `docker system dial-stdio` there, and its input and output are a connection to that engine.

use std::pin::Pin;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bollard::{API_DEFAULT_VERSION, BollardRequest, Docker};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Settings for a program that nobody sits in front of: it never asks, and notices a lost connection.
const OPTIONS: [&str; 4] =
    ["BatchMode=yes", "ConnectTimeout=15", "ServerAliveInterval=15", "ServerAliveCountMax=4"];
/// What `ssh` says on its way out is there within this time.
const PARTING: Duration = Duration::from_secs(1);
/// The most of it that is kept, in bytes.
const MAX_WORDS: usize = 4096;

/// What `ssh` has complained of.
type Words = Arc<Mutex<String>>;

/// Where to log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    host: String,
    user: Option<String>,
    port: Option<u16>,
    /// The engine's socket there, where it is not the usual one.
    socket: Option<String>,
}

impl Place {
    /// Reads `ssh://user@host:port/path/of/socket`, of which only the host is needed.
    pub(super) fn parse(address: &str) -> Option<Self> {
        let rest = address.strip_prefix("ssh://")?;
        let (login, socket) = match rest.split_once('/') {
            Some((login, path)) => (login, Some(format!("/{path}")).filter(|path| path != "/")),
            None => (rest, None),
        };
        let (user, host) = match login.rsplit_once('@') {
            Some((user, host)) => (Some(user.to_owned()), host),
            None => (None, login),
        };
        let (host, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.strip_prefix(':')?.parse().ok()?)),
            None => match host.split_once(':') {
                Some((host, port)) => (host, Some(port.parse().ok()?)),
                None => (host, None),
            },
        };
        // Nothing in it may be taken for an option, or for words of the other computer's shell.
        let is_name = |text: &str, also: &str| {
            !text.is_empty()
                && !text.starts_with('-')
                && text.chars().all(|c| c.is_alphanumeric() || also.contains(c))
        };
        let is_fine = is_name(host, "-._:%")
            && user.as_deref().is_none_or(|user| is_name(user, "-._@\\"))
            && socket.as_deref().is_none_or(|socket| is_name(socket, "-._/"));
        is_fine.then(|| Self { host: host.to_owned(), user, port, socket })
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            OPTIONS.iter().flat_map(|option| ["-o".to_owned(), (*option).to_owned()]).collect();
        if let Some(user) = &self.user {
            arguments.extend(["-l".to_owned(), user.clone()]);
        }
        if let Some(port) = self.port {
            arguments.extend(["-p".to_owned(), port.to_string()]);
        }
        arguments.extend(["-T".to_owned(), "--".to_owned(), self.host.clone(), "docker".to_owned()]);
        if let Some(socket) = &self.socket {
            arguments.extend(["--host".to_owned(), format!("unix://{socket}")]);
        }
        arguments.extend(["system".to_owned(), "dial-stdio".to_owned()]);
        arguments
    }
}

/// Where a client logs in, and what came of it.
pub(super) struct LogIn {
    words: Words,
}

impl LogIn {
    /// A client that logs in for each connection that it needs; a connection is used for one request after another.
    pub(super) fn client(
        place: Place,
        request_limit_s: u64,
    ) -> Result<(Docker, Self), bollard::errors::Error> {
        let words = Words::default();
        let dialer = Dialer { place, words: words.clone() };
        let client = Client::builder(TokioExecutor::new()).build(dialer);
        let transport = move |request: BollardRequest| {
            let answer = client.request(request);
            async move { answer.await.map_err(bollard::errors::Error::from) }
        };
        // The host in the address is for HTTP's form only: the connection is what `ssh` makes.
        let host = Some("http://docker");
        let docker =
            Docker::connect_with_custom_transport(transport, host, request_limit_s, API_DEFAULT_VERSION)?;
        Ok((docker, Self { words }))
    }

    /// What the other computer or `ssh` has against us, in its own words; `None` when it said nothing.
    pub(super) async fn last_words(&self) -> Option<String> {
        let begun = tokio::time::Instant::now();
        loop {
            let said = self.words.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
            if let Some(last) = last {
                return Some(crate::text::printable(last.as_bytes()));
            }
            if begun.elapsed() > PARTING {
                return None;
            }
            tokio::time::sleep(PARTING / 20).await;
        }
    }
}

#[derive(Clone)]
struct Dialer {
    place: Place,
    words: Words,
}

impl tower_service::Service<http::Uri> for Dialer {
    type Response = TokioIo<Dialled>;
    type Error = std::io::Error;
    type Future = std::future::Ready<Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Uri) -> Self::Future {
        std::future::ready(self.dial().map(TokioIo::new))
    }
}

impl Dialer {
    fn dial(&self) -> std::io::Result<Dialled> {
        let mut command = Command::new("ssh");
        command
            .args(self.place.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(windows)]
        command.creation_flags(0x0800_0000); // No console window.
        let missing = |error: std::io::Error| {
            self.keep("the program ssh could not be started on this computer");
            error
        };
        let mut child = command.spawn().map_err(missing)?;
        let closed = || std::io::Error::other("ssh has no pipes");
        let (input, output) =
            (child.stdin.take().ok_or_else(closed)?, child.stdout.take().ok_or_else(closed)?);
        let mut complaints = child.stderr.take().ok_or_else(closed)?;
        let dialer = self.clone();
        tokio::spawn(async move {
            let mut piece = [0; 512];
            while let Ok(count @ 1..) = complaints.read(&mut piece).await {
                dialer.keep(&String::from_utf8_lossy(&piece[..count]));
            }
        });
        Ok(Dialled { _child: child, input, output })
    }

    fn keep(&self, said: &str) {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.len() + said.len() <= MAX_WORDS {
            words.push_str(said);
        }
    }
}

/// A connection: the input and output of an `ssh` that ends with it.
struct Dialled {
    _child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl AsyncRead for Dialled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.output).poll_read(context, buffer)
    }
}

impl AsyncWrite for Dialled {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.input).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.input).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.input).poll_shutdown(context)
    }
}

impl Connection for Dialled {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_becomes_arguments_that_cannot_be_options() {
        let said = |address: &str| {
            Place::parse(address).map(|place| place.arguments()[OPTIONS.len() * 2..].join(" "))
        };
        assert_eq!(said("ssh://box").as_deref(), Some("-T -- box docker system dial-stdio"));
        assert_eq!(
            said("ssh://ann@box.example:2222/run/podman/podman.sock").as_deref(),
            Some(
                "-l ann -p 2222 -T -- box.example docker --host unix:///run/podman/podman.sock system dial-stdio"
            )
        );
        assert_eq!(
            said("ssh://[fe80::1]:22").as_deref(),
            Some("-p 22 -T -- fe80::1 docker system dial-stdio")
        );
        for bad in [
            "ssh://",
            "ssh://-oProxyCommand=touch",
            "ssh://-l@box",
            "ssh://box;id",
            "ssh://box:no",
            "ssh://box/a b",
            "ssh://box/$(id)",
            "tcp://box",
        ] {
            assert_eq!(said(bad), None, "{bad}");
        }
    }
}
