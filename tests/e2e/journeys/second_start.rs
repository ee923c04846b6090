//! The window: one of it, where it was, for every file that is handed to the app.

use std::ffi::OsStr;
use std::process::Stdio;

use crate::stage::{SOON, Stage, wait_for};

#[tokio::test]
async fn a_second_start_brings_the_first_window_forward_and_hands_it_the_files() {
    let Some(mut stage) = Stage::set() else { return };
    let first = stage.file("first.csv", "region,days\nNorth,3\nSouth,5\n");
    let second = stage.file("second file.csv", "city,sold\nRome,3\nOslo,5\n");
    let desk = stage.open_app(&[first.to_str().unwrap()]).await;
    desk.see("first.csv").await;
    stage.open_drag_source(&[&first]);
    stage.front("^assay drag source$");
    assert_eq!(stage.active_window(), "assay drag source");

    // The name is given as it is seen from the folder in which the person stands.
    let mut again = stage.app_command(&[OsStr::new("second file.csv")]);
    again.current_dir(second.parent().unwrap()).stdout(Stdio::null());
    let mut again = again.spawn().unwrap();
    wait_for(SOON, "the end of the second start", || again.try_wait().unwrap().is_some());
    assert!(again.wait().unwrap().success());
    wait_for(SOON, "the first window in front", || stage.active_window() == "Assay");
    desk.press("second file.csv").await;
    desk.see("city").await;
    desk.see("first.csv").await;
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn the_windows_place_and_size_are_there_again_after_a_restart() {
    let Some(mut stage) = Stage::set() else { return };
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    let window = stage.find_window("^Assay$");
    stage.resize(1000, 700);
    stage.xdotool(&["windowmove", "--sync", &window, "150", "90"]);
    let left = stage.settled_geometry(&window);
    stage.close_window();
    stage.wait_for_end();
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    assert_eq!(stage.settled_geometry(&stage.find_window("^Assay$")), left);
    stage.close_window();
    stage.wait_for_end();
}
