//! Makes the permissions of the shell's commands: a window may call only what its capability names.

/// What a window may call at all; `capabilities/main.json` says what the main window does call.
const COMMANDS: [&str; 50] = [
    "app_info",
    "ui_ready",
    "choose_files",
    "add_sample",
    "remove_file",
    "file_page",
    "file_profile",
    "stop_reading",
    "save_file_note",
    "diagnose",
    "start_engine",
    "build_image",
    "stop_build",
    "start_run",
    "check_new_file",
    "run_again",
    "compare",
    "follow_up",
    "resume_run",
    "answer_question",
    "sent",
    "sent_text",
    "stop_run",
    "runs",
    "open_run",
    "check_report",
    "data_story",
    "rename_run",
    "delete_run",
    "table_page",
    "forms",
    "export_run",
    "stop_export",
    "copy_report",
    "copy_summary",
    "copy_table",
    "save_artifact",
    "reveal",
    "settings",
    "save_settings",
    "engines",
    "list_engines",
    "choose_certificates",
    "prove_sandbox",
    "stop_proof",
    "connections",
    "list_models",
    "test_model",
    "stop_test",
    "quit_answer",
];

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(&COMMANDS);
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error=the shell cannot be built: {error:#}");
    }
}
