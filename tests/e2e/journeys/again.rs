//! An earlier run done again on a new file.

use assay_testkit::ScriptedServer;
use assay_tests::docker;

use crate::look::look;
use crate::script::{ask_the_model, python, report, say};
use crate::stage::Stage;

const ADD_UP: &str = "import pandas as pd
table = pd.read_csv('input/deliveries.csv')
print(table.groupby('region')['days'].sum())
print('together', table['days'].sum())";

#[tokio::test]
async fn a_run_is_done_again_on_a_new_file_with_a_renamed_column_and_says_what_changed() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        python("Adding up", ADD_UP),
        report("Waiting times", "North waits 3 days and South 5, together 8."),
        say("They wait 8 days."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How long do they wait?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    let asked = server.requests().len();

    let unfit = stage.file("empty.csv", "");
    desk.press("Run again on a new file").await;
    stage.answer_dialog("Choose tables", &unfit);
    desk.see("empty.csv is empty.").await;
    desk.press("Close").await;

    let new = stage.file("deliveries_2026.csv", "region,Days\nNorth,4\nSouth,9\n");
    desk.press("Run again on a new file").await;
    stage.answer_dialog("Choose tables", &new);
    desk.see("deliveries_2026.csv takes the place of deliveries.csv.").await;
    desk.see("days is now called").await;
    look(&stage, &desk, "again-columns").await;
    desk.press("Do it again").await;
    desk.see_at_last("Done again on deliveries_2026.csv").await;
    desk.see("figures changed").await;
    desk.see("North waits 4 days and South 9, together 13.").await;
    assert_eq!(server.requests().len(), asked, "no model was asked");
    look(&stage, &desk, "again-result").await;

    desk.press("What changed").await;
    desk.see("days is now called Days.").await;
    desk.see("+80 %").await;
    look(&stage, &desk, "again-changed").await;
    desk.press("Open the earlier run").await;
    desk.see("North waits 3 days and South 5, together 8.").await;
    desk.see_no_more("Done again on").await;
    stage.close_window();
    stage.wait_for_end();
}
