//! A provider's containers run the code: nothing leaves unasked, and it is plain that something does.

use assay_testkit::{HostedServer, ScriptedServer};
use assay_tests::skip;

use crate::look::look;
use crate::script::{python, report, say};
use crate::stage::Stage;

#[tokio::test]
async fn files_leave_for_a_provider_only_after_a_yes_and_until_they_stay_here_again() {
    let Some(mut stage) = Stage::set() else { return };
    let Some(provider) = HostedServer::start_sealed(30.0) else {
        return skip("bubblewrap cannot seal the code of a provider's containers");
    };
    let server = ScriptedServer::start(vec![
        python("Waiting a little", "import time\ntime.sleep(8)\nkept = 42\nprint(kept)"),
        report("Forty-two", "There are 42."),
        say("There are 42."),
        python("Counting on", "print('now', kept + 1)"),
        report("Forty-three", "There are 43."),
        say("There are 43."),
    ]);
    let address = provider.url();
    let host = address.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let (sent_to, agree) =
        (format!("the files are sent to {host}"), format!("Let the files leave for {host}"));
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("deliveries.csv").await;
    desk.choose_model(&server.url(), "").await;

    desk.press("A provider’s containers").await;
    desk.see("The files of each question leave this computer.").await;
    desk.see("how long they are kept there is for the provider to say.").await;
    desk.write("Address of the provider", &address).await;
    desk.see("Still missing: the key.").await;
    desk.write("Key", HostedServer::KEY).await;
    desk.press("For this session only").await;
    desk.see(&agree).await;
    desk.script("document.querySelector('[role=alert]').scrollIntoView()", Vec::new()).await;
    look(&stage, &desk, "settings-hosted-warning").await;
    desk.press("Not now").await;
    desk.see_no_more("The files of each question leave this computer.").await;
    assert_eq!(provider.requests(), [], "nothing is asked before the yes");

    desk.press("A provider’s containers").await;
    desk.write("Address of the provider", &address).await;
    desk.write("Key", HostedServer::KEY).await;
    desk.press("For this session only").await;
    desk.press(&agree).await;
    desk.see("Files stay here again").await;
    desk.see("The sandbox is ready: a provider’s containers;").await;
    desk.script(
        "document.querySelector('[aria-label=\"The provider\"]').scrollIntoView({ block: 'center' })",
        Vec::new(),
    )
    .await;
    look(&stage, &desk, "settings-hosted").await;

    desk.press("Assay").await;
    desk.see(&format!("Runs in: a provider’s containers; {sent_to}")).await;
    look(&stage, &desk, "desk-hosted").await;
    desk.want_only_a_report().await;
    desk.ask("How many?").await;
    desk.see_at_last("Waiting a little").await;
    desk.see(&format!("Runs in: a provider’s containers; {sent_to}")).await;
    look(&stage, &desk, "run-hosted").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.press("How this was worked out").await;
    desk.see(&format!("In containers of {host}, asked for without a network. The files were sent there."))
        .await;
    assert_eq!(provider.names(), [""; 0], "no container is left");

    // Somebody has taken the consent back, as a changed address does.
    assay_engine::Desk::new(Some(stage.home())).withdraw_from_hosted(&address).unwrap();
    let before = provider.requests().len();
    desk.press("Report").await;
    desk.write("Ask further", "And one more?").await;
    desk.press("Ask").await;
    desk.see("Before it can run").await;
    desk.see("The files of each question leave this computer.").await;
    look(&stage, &desk, "trouble-consent").await;
    assert_eq!(provider.requests().len(), before, "nothing leaves without it");
    desk.press(&agree).await;
    desk.press("Continue now").await;
    desk.see_at_last("There are 43.").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;

    desk.press("Settings").await;
    desk.press("Files stay here again").await;
    desk.see_no_more("Files stay here again").await;
    desk.press("Assay").await;
    desk.see_no_more(&sent_to).await;
    let kept = assay_engine::Desk::new(Some(stage.home())).hosted_terms(&address).unwrap();
    assert_eq!(kept.agreed_at, None);
    assert_eq!(provider.names(), [""; 0]);
    stage.close_window();
    stage.wait_for_end();
}
