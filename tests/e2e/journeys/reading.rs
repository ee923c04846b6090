//! How a file is read: shown, flipped, and what the code gets of it.

use assay_tests::docker;

use crate::desk::Desk;
use crate::look::look;
use crate::stage::Stage;

/// Dates that could be either, decimal commas, a letter of Windows-1252.
fn sales() -> Vec<u8> {
    let mut text = b"Sold;Stra\xdfe;Amount;Secret\n".to_vec();
    for row in 0..40 {
        let line =
            format!("{:02}/{:02}/2024;Weg {};1.{}00,5;x{row}\n", row % 9 + 1, row % 5 + 1, row % 3, row % 7);
        text.extend(line.as_bytes());
    }
    text
}

const CHOOSE: &str = "
    const [label, text] = arguments;
    const select = document.querySelector(`select[aria-label=\"${label}\"]`);
    const option = [...select.options].find((option) => option.text === text);
    const set = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set;
    set.call(select, option.value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return true";

/// Waits until a decision is shown so; a list to choose from is no text of the page.
async fn see_decision(desk: &Desk, about: &str, label: &str) {
    let script = format!(
        "const chip = document.querySelector('select[aria-label=\"{about}\"]');
        return chip?.selectedOptions[0]?.text === '{label}' || document.body.innerText.includes('{label}')"
    );
    desk.wait_until(label, &script).await;
}

#[tokio::test]
async fn a_decision_is_flipped_and_the_code_reads_the_table_so() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let file = stage.file("sales.csv", sales());
    let desk = stage.open_app(&[]).await;
    stage.drag(&[&file]);
    for (about, label) in [
        ("Encoding", "Windows-1252"),
        ("Between the cells", "Semicolon"),
        ("Decimal mark", "1.234,5 is a number"),
        ("Dates in Sold", "03/04 is 3 April"),
    ] {
        see_decision(&desk, about, label).await;
    }
    for shown in ["2024-01-06", "Straße"] {
        desk.see(shown).await;
    }
    desk.script(CHOOSE, vec!["Dates in Sold".into(), "03/04 is 4 March".into()]).await;
    see_decision(&desk, "Dates in Sold", "03/04 is 4 March").await;
    desk.see("As the file says itself").await;
    desk.see("2024-06-01").await;
    desk.press("Columns and reasons").await;
    desk.see("40 rows read").await;
    desk.press("Use Secret").await;
    desk.see("40 rows × 3 columns").await;
    desk.press("Columns and reasons").await;
    look(&stage, &desk, "desk-how-read").await;
    desk.ask("total amount by month").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    let input = stage.home().join("runs").join(stage.only_run()).join("input/prepared");
    let prepared = std::fs::read_to_string(input.join("sales.csv")).unwrap();
    let mut lines = prepared.lines();
    assert_eq!(lines.next(), Some("Sold,Straße,Amount"));
    assert_eq!(lines.nth(1), Some("2024-02-02,Weg 1,1100.5"));
    let tables = std::fs::read_to_string(input.join("tables.json")).unwrap();
    assert!(tables.contains("Chosen by a person"), "{tables}");
    assert_eq!(std::fs::read(&file).unwrap(), sales(), "the file itself is as it was");
    stage.close_window();
    stage.wait_for_end();
}
