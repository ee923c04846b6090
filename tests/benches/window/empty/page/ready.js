window.__TAURI_INTERNALS__.invoke("ui_ready");
