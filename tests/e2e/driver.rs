//! The web view's own WebDriver, and what is needed to start programs around it.

use std::io::{BufRead, BufReader};
use std::process::Child;

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use serde_json::json;

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// The first line that a program writes, once it has.
pub(crate) fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line.trim().to_owned()
}

/// Whether a driver listens on the port.
pub(crate) fn listens(port: u16) -> bool {
    std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Lets the driver on the port start a program, and gives a hold of its page.
pub(crate) async fn open(port: u16, program: &str, arguments: &[&str]) -> Client {
    let options = json!({"binary": program, "args": arguments});
    let capabilities: Capabilities = [("webkitgtk:browserOptions".to_owned(), options)].into_iter().collect();
    ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .unwrap()
}
