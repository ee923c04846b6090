//! The desktop shell: a window around the engine. Commands are thin, and there is no logic here.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod artifact_scheme;
mod commands;
mod connect;
mod dialogs;
mod exporting;
mod images;
mod reading;
mod run_channel;
mod sandbox;
mod start;
mod window;
#[cfg(test)]
mod wire_types;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_engine::Desk;
use tauri::Manager;

fn main() {
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("ASSAY_LOG").unwrap_or_else(|_| "warn".into()),
        )
        .with_writer(std::io::stderr)
        .init();
    start::prepare_web_view();
    let home = std::env::var_os("ASSAY_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    let desk = Arc::new(Desk::new(home));
    let builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, arguments, folder| {
            window::focus(app);
            window::open_arguments(app, &arguments, Path::new(&folder));
        }))
        .plugin(tauri_plugin_window_state::Builder::new().build())
        .manage(desk.clone())
        .manage(start::FirstWord::default())
        .manage(images::Building::default())
        .manage(sandbox::Looking::default())
        .manage(reading::Readings::default())
        .manage(exporting::Exporting::default())
        .manage(connect::Testing::default())
        .register_asynchronous_uri_scheme_protocol("artifact", artifact_scheme::answer)
        .on_window_event(window::on_event)
        .setup(|app| {
            start::watch_first_word(app.handle().clone());
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![
            commands::app_info,
            commands::ui_ready,
            commands::choose_files,
            commands::add_sample,
            commands::remove_file,
            commands::file_page,
            reading::file_profile,
            reading::stop_reading,
            commands::set_reading,
            commands::save_file_note,
            commands::diagnose,
            commands::start_engine,
            images::build_image,
            images::stop_build,
            images::images,
            images::add_packages,
            images::pull_image,
            images::load_image,
            images::remove_old_images,
            commands::start_run,
            commands::check_new_file,
            commands::run_again,
            commands::compare,
            commands::follow_up,
            commands::resume_run,
            commands::answer_question,
            commands::sent,
            commands::sent_text,
            commands::stop_run,
            commands::runs,
            commands::open_run,
            commands::check_report,
            commands::data_story,
            commands::rename_run,
            commands::delete_run,
            commands::table_page,
            exporting::forms,
            exporting::export_run,
            exporting::stop_export,
            exporting::copy_report,
            exporting::copy_summary,
            exporting::copy_table,
            exporting::save_artifact,
            commands::reveal,
            commands::settings,
            commands::save_settings,
            sandbox::engines,
            sandbox::list_engines,
            sandbox::choose_certificates,
            sandbox::prove_sandbox,
            sandbox::stop_proof,
            sandbox::hosted_terms,
            sandbox::agree_to_hosted,
            sandbox::withdraw_from_hosted,
            connect::connections,
            connect::list_models,
            connect::test_model,
            connect::stop_test,
            commands::quit_answer,
        ]);
    match builder.build(tauri::generate_context!()) {
        Ok(app) => app.run(move |app, event| {
            if let tauri::RunEvent::Exit = event {
                tauri::async_runtime::block_on(app.state::<Arc<Desk>>().close());
            }
        }),
        Err(error) => start::cannot_open(&error),
    }
}
