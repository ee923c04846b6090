//! Replies of the scripted model server, as a model would give them.

use assay_testkit::{Reply, ScriptedServer};
use serde_json::json;

use crate::desk::Desk;
use crate::stage::Stage;

/// Runs Python under a title.
pub(crate) fn python(title: &str, code: &str) -> Reply {
    Reply::call("run_python", json!({"title": title, "code": code}))
}

/// Runs Python that takes much longer than anybody waits, and says so once it has begun.
pub(crate) fn sleeping() -> Reply {
    python("Sleeping", "import time\nprint('fast asleep', flush=True)\ntime.sleep(600)")
}

/// Writes a report with this title and text.
pub(crate) fn report(title: &str, text: &str) -> Reply {
    let filler = "This is what was found in the table, step by step. ".repeat(3);
    Reply::call(
        "write_file",
        json!({"path": "output/report.md", "content": format!("# {title}\n\n{text}\n\n{filler}\n")}),
    )
}

/// The last words of an answer.
pub(crate) fn say(words: &str) -> Reply {
    Reply::text(words)
}

/// Python that draws a small chart and saves it under this name.
pub(crate) fn chart(name: &str) -> String {
    format!(
        "import os\nimport matplotlib.pyplot as plt\nos.makedirs('output/charts', exist_ok=True)\n\
         plt.figure(figsize=(6, 2.5)); plt.bar(['North', 'South'], [3, 5])\n\
         plt.savefig({name:?}); plt.close('all')\n"
    )
}

/// Opens the app on a small table, lets the scripted model think, and asks it for nothing but a report.
pub(crate) async fn ask_the_model(stage: &mut Stage, server: &ScriptedServer, question: &str) -> Desk {
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("deliveries.csv").await;
    desk.choose_model(&server.url(), "").await;
    desk.press("Assay").await;
    desk.want_only_a_report().await;
    desk.ask(question).await;
    desk
}
