//! From the first start to a report that is taken along, and found again after a restart.

use std::path::Path;
use std::process::Command;

use assay_tests::docker;

use crate::stage::Stage;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/sample/building_energy.csv");

#[tokio::test]
async fn field_101_from_a_drop_to_a_report_that_is_exported_and_found_again() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    stage.drag(&[Path::new(SAMPLE)]);
    desk.see("building_energy.csv").await;
    desk.see("Seen at a glance").await;
    desk.ask("Find unusual energy use and explain it").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see("Unusual energy use").await;

    desk.press("Export").await;
    desk.press("PDF").await;
    let pdf = stage.place("energy.pdf");
    stage.answer_dialog("Export", &pdf);
    desk.see_at_last(&format!("Saved as {}", pdf.display())).await;
    assert!(std::fs::read(&pdf).unwrap().starts_with(b"%PDF"), "what was saved is a PDF");
    desk.press("Close").await;
    desk.press("Export").await;
    desk.press("The files, as one zip file").await;
    let zip = stage.place("energy.zip");
    stage.answer_dialog("Export", &zip);
    desk.see(&format!("Saved as {}", zip.display())).await;
    let listed =
        listing("import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))", &zip);
    desk.press("Close").await;
    desk.press("Export").await;
    desk.press("The files, in a folder").await;
    let folder = stage.place("energy");
    std::fs::create_dir(&folder).unwrap();
    stage.answer_dialog("Export to an empty folder", &folder);
    desk.see(&format!("Saved as {}", folder.display())).await;
    let walk = "import sys, pathlib; root = pathlib.Path(sys.argv[1])
print('\\n'.join(str(each.relative_to(root)) for each in root.rglob('*') if each.is_file()))";
    assert_eq!(listed, listing(walk, &folder), "both hold the same");
    assert!(listed.contains(&"report.md".into()) && listed.contains(&"assay-run.json".into()), "{listed:?}");
    let charts = listed.iter().filter(|name| name.starts_with("charts/")).count();
    assert!(charts > 0, "{listed:?}");
    stage.close_window();
    stage.wait_for_end();

    let desk = stage.open_app(&[]).await;
    desk.press("History").await;
    desk.see("Find unusual energy use and explain it").await;
    desk.write("Search past runs", "zebra").await;
    desk.see("No past run mentions “zebra”.").await;
    desk.write("Search past runs", "BUILDING").await;
    desk.press("Rename Find unusual energy use and explain it").await;
    desk.write("Name of this run", "My building").await;
    stage.front("^Assay$");
    stage.press_key("Return");
    desk.press("My building").await;
    desk.see("Unusual energy use").await;
    desk.press("Charts").await;
    desk.see_charts(charts).await;
    desk.press("History").await;
    desk.press("Delete My building").await;
    desk.see("Delete this run?").await;
    desk.press("Delete").await;
    desk.see("Nothing has been asked yet.").await;
    assert_eq!(stage.runs(), [] as [std::path::PathBuf; 0], "its files are gone too");
    stage.close_window();
    stage.wait_for_end();
}

fn listing(script: &str, place: &Path) -> Vec<String> {
    let told = Command::new("/usr/bin/python3").args(["-c", script]).arg(place).output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let mut names: Vec<String> = String::from_utf8(told.stdout).unwrap().lines().map(str::to_owned).collect();
    names.sort();
    names
}

#[tokio::test]
async fn files_are_chosen_in_the_systems_dialog() {
    let Some(mut stage) = Stage::set() else { return };
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    let desk = stage.open_app(&[]).await;
    desk.press("Choose files").await;
    stage.front("^Choose tables$");
    stage.press_key("Escape");
    desk.see("Drop your data here").await;
    desk.press("Choose files").await;
    stage.answer_dialog("Choose tables", &table);
    desk.see("deliveries.csv").await;
    desk.see("2 rows × 2 columns").await;
    stage.close_window();
    stage.wait_for_end();
}
