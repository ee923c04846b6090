//! The steps as a Jupyter notebook, in the format nbformat 4.5
//! (<https://nbformat.readthedocs.io/en/latest/format_description.html>).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::{Cell, Export, ExportError, Parcel, Progress};

/// What the sandbox does around each step, for a notebook.
const PREPARE: &str = include_str!("notebook/prepare.py");
/// How charts look in the sandbox.
const STYLE: &str = include_str!("../../../../../sandbox/matplotlibrc");

/// Writes a notebook with the steps, what they printed and drew. It runs again beside a folder `input` with the
/// files, and makes `output` anew.
pub fn notebook(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    let mut cells = vec![markdown(0, &introduction(parcel)), code(0, &prepare(), &[], &json!({}))];
    for (done, cell) in parcel.cells.iter().enumerate() {
        progress(done, parcel.cells.len())?;
        cells.push(markdown(cell.step, &heading(cell)));
        let source = format!("# Step {}\n{}", cell.step, cell.code);
        let metadata = match cell.error {
            // Whoever runs the notebook goes on behind such a cell.
            Some(_) => json!({"tags": ["raises-exception"]}),
            None => json!({}),
        };
        cells.push(code(cell.step, &source, &outputs(parcel, cell)?, &metadata));
    }
    let notebook = json!({
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
            "title": parcel.title,
        },
        "cells": cells,
    });
    Ok(Export { bytes: format!("{notebook:#}\n").into_bytes(), remarks: Vec::new() })
}

fn prepare() -> String {
    let settings: Vec<&str> =
        STYLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    format!("_ASSAY_STYLE = \"\"\"\\\n{}\n\"\"\"\n\n{PREPARE}", settings.join("\n"))
}

fn introduction(parcel: &Parcel<'_>) -> String {
    format!(
        "# {}\n\nThe steps of this analysis, as they ran. To run them again, put the files that were analysed \
         into a folder `input` beside this notebook. Everything that the steps make goes into a folder \
         `output`.",
        plain(parcel.title)
    )
}

fn heading(cell: &Cell) -> String {
    let heading = format!("## Step {}: {}", cell.step, plain(&cell.title));
    match &cell.error {
        Some(error) => format!(
            "{heading}\n\nThis step ended with `{}`. It stands here because what it had done until then is kept.",
            plain(error)
        ),
        None => heading,
    }
}

/// Words that Markdown takes for nothing else.
fn plain(words: &str) -> String {
    let mut plain = String::new();
    for c in words.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | ';' | '?' | '\'' | '%' | '/') {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}

fn markdown(step: u32, text: &str) -> Value {
    json!({"cell_type": "markdown", "id": format!("text-{step}"), "metadata": {}, "source": lines(text)})
}

fn code(step: u32, source: &str, outputs: &[Value], metadata: &Value) -> Value {
    json!({
        "cell_type": "code",
        "id": format!("step-{step}"),
        "metadata": metadata,
        "execution_count": null,
        "source": lines(source.trim_end()),
        "outputs": outputs,
    })
}

fn outputs(parcel: &Parcel<'_>, cell: &Cell) -> Result<Vec<Value>, ExportError> {
    let mut outputs = Vec::new();
    if !cell.printed.is_empty() {
        outputs.push(json!({"output_type": "stream", "name": "stdout", "text": lines(&cell.printed)}));
    }
    for path in cell.pictures.iter().filter(|path| path.to_lowercase().ends_with(".png")) {
        let png = BASE64_STANDARD.encode(parcel.read(path)?);
        outputs.push(json!({
            "output_type": "display_data",
            "data": {"image/png": png, "text/plain": [path]},
            "metadata": {},
        }));
    }
    Ok(outputs)
}

/// A text as nbformat keeps it: its lines, each with its end.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}
