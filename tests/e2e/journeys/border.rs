//! How much of large files comes into the window, and in which way.

use assay_testkit::ScriptedServer;
use assay_tests::docker;
use serde_json::{Value, json};

use crate::script::{python, report, say};
use crate::stage::Stage;

/// An answer of this size is parsed in a few milliseconds.
const MOST_BYTES: u64 = 1 << 18;

/// Notes the size of each answer that a command gives from now on.
const WATCH: &str = "
    const own = window.fetch;
    window.answers = [];
    window.fetch = async (...asked) => {
        const answer = await own(...asked);
        if (answer.url.startsWith('ipc:')) {
            const { byteLength } = await answer.clone().arrayBuffer();
            window.answers.push([decodeURIComponent(new URL(answer.url).pathname.slice(1)), byteLength]);
        }
        return answer;
    }";

/// Goes to the last row of the table in sight.
const TO_THE_END: &str = "
    const table = [...document.querySelectorAll('[role=table][tabindex]')]
        .find((each) => each.getClientRects().length > 0);
    table.scrollTo({ top: table.scrollHeight });";

/// The size of the one picture, as pixels and as bytes.
const PICTURE: &str = "
    const done = arguments[0];
    const picture = [...document.images].find((image) => image.src.startsWith('artifact:'));
    fetch(picture.src).then((answer) => answer.blob())
        .then((bytes) => done([picture.naturalWidth, bytes.type, bytes.size]), (error) => done(String(error)))";

/// Asks for more rows than a page has.
const ALL_ROWS: &str = "
    const [run, done] = arguments;
    const all = { path: 'large.csv', offset: 0, limit: 1e6, sort: null, filter: '' };
    window.__TAURI_INTERNALS__.invoke('table_page', { run, ...all }).then(
        ({ rows, total_rows }) => done([rows.length, total_rows]), (error) => done(JSON.stringify(error)))";

/// 20 MB each of a picture that nothing makes smaller, of a table, and of words.
const LARGE: &str = "
import os, numpy, matplotlib.pyplot as plt, pandas
os.makedirs('output/charts', exist_ok=True)
plt.imsave('output/charts/noise.png', numpy.random.default_rng(1).random((2600, 2600, 3)))
table = pandas.DataFrame({f'column {each}': range(200_000) for each in range(15)})
table['last'] = [f'row {row}' for row in table.index]
table.to_csv('output/large.csv', index=False)
print('many words ' * 2_000_000)
";

#[tokio::test]
async fn field_105_large_files_come_as_small_pages_and_as_bytes_never_as_one_large_answer() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let mut rows = "column,".repeat(50) + "last";
    for row in 1..=40_000 {
        rows = rows + "\n" + &format!("{row},").repeat(50) + "end";
    }
    let table = stage.file("large.csv", rows);
    let server = ScriptedServer::start(vec![
        python("Making much", LARGE),
        report("Noise", "![Noise](charts/noise.png)"),
        say("It is noise."),
    ]);
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    desk.script(WATCH, Vec::new()).await;
    stage.drag(&[&table]);
    desk.see("40,000 rows").await;
    desk.script(TO_THE_END, Vec::new()).await;
    desk.see("40000").await;
    desk.choose_model(&server.url(), "").await;
    desk.press("Assay").await;
    desk.ask("What is it?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see_charts(1).await;
    let picture = desk.script_async(PICTURE, Vec::new()).await;
    let size = std::fs::metadata(stage.runs()[0].join("output/charts/noise.png")).unwrap().len();
    assert!(size > 20_000_000, "{size}");
    assert_eq!(picture, json!([2600, "image/png", size]));
    desk.press("Tables").await;
    desk.see("200,000 rows").await;
    desk.script(TO_THE_END, Vec::new()).await;
    desk.see("199999").await;
    desk.press("How this was worked out").await;
    desk.press("Making much").await;
    desk.see("many words many words").await;

    let answers = desk.script("return window.answers", Vec::new()).await;
    let size_of = |answer: &Value| answer[1].as_u64().unwrap();
    let large: Vec<&Value> =
        answers.as_array().unwrap().iter().filter(|answer| size_of(answer) > MOST_BYTES).collect();
    assert_eq!(large, [] as [&Value; 0]);
    for command in ["file_page", "file_profile", "table_page", "open_run", "start_run"] {
        let was_seen = answers.as_array().unwrap().iter().any(|answer| answer[0] == command);
        assert!(was_seen, "{command} was called: {answers}");
    }
    // Who asks for all of a table gets a page.
    let got = desk.script_async(ALL_ROWS, vec![json!(stage.only_run())]).await;
    assert_eq!(got, json!([1000, 200_000]));
    stage.close_window();
    stage.wait_for_end();
}
