//! A provider's containers: chosen with a warning, told at every place, and given up again.

use assay_testkit::{HostedServer, ScriptedServer};

use crate::look::look;
use crate::script::{python, report, say};
use crate::stage::Stage;

#[tokio::test]
async fn files_leave_for_a_provider_only_after_a_word_and_every_place_says_so() {
    let Some(mut stage) = Stage::set() else { return };
    let provider = HostedServer::start(1.0);
    let model = ScriptedServer::start(vec![
        python("Counting", "print(len(open('input/deliveries.csv').readlines()) - 1, 'rows')"),
        report("Four", "There are 4 rows."),
        say("There are 4 rows."),
    ]);
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\nNorth,4\nSouth,6\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.choose_model(&model.url(), "").await;
    desk.press("A provider’s containers").await;
    desk.write("Address of the provider", &provider.url()).await;
    let host = provider.url().replace("http://", "").replace("/v1", "");
    desk.see(&format!("They are sent to {host}, where the code runs.")).await;
    desk.see("Still missing: the key.").await;
    look(&stage, &desk, "settings-hosted-warning").await;
    desk.press("Not now").await;
    desk.see_no_more("They are sent to").await;
    assert!(provider.requests().is_empty(), "nothing is asked of it before the word");

    desk.press("A provider’s containers").await;
    desk.write("Address of the provider", &provider.url()).await;
    desk.write("Key", HostedServer::KEY).await;
    desk.press("For this session only").await;
    desk.press(&format!("Let the files leave for {host}")).await;
    desk.see("Files stay here again").await;
    look(&stage, &desk, "settings-hosted").await;

    desk.press("Assay").await;
    desk.see(&format!("Runs in: a provider’s containers; the files are sent to {host}")).await;
    look(&stage, &desk, "desk-hosted").await;
    desk.want_only_a_report().await;
    desk.ask("How many rows are there?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.press("How this was worked out").await;
    look(&stage, &desk, "result-hosted").await;
    assert!(
        provider.requests().iter().any(|request| request.line.starts_with("DELETE")),
        "nothing stays there"
    );

    desk.press("Settings").await;
    desk.press("Files stay here again").await;
    desk.see_no_more("The files of each question are sent there.").await;
    stage.close_window();
    stage.wait_for_end();
}
