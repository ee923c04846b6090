//! Writes each file of a folder as it is read, for the programs that score readers.
//!
//! `as_read FOLDER OUT [SUFFIX]`: `OUT/NAME + SUFFIX` holds the table of `FOLDER/NAME`, as UTF-8 with commas;
//! a file that cannot be read gives one line, "Application Error".

use assay_tabular::{Settings, TableError, Writing, read_as};
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, rest @ ..] = arguments.as_slice() else {
        eprintln!("as_read FOLDER OUT [SUFFIX]");
        std::process::exit(2);
    };
    let suffix = rest.first().map_or("", String::as_str);
    fs::create_dir_all(out)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) else {
            continue;
        };
        let target = PathBuf::from(out).join(format!("{name}{suffix}"));
        if let Err(error) = write(&path, &target) {
            eprintln!("{error}");
            fs::write(&target, "Application Error\n")?;
        }
    }
    Ok(())
}

fn write(path: &Path, target: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let reading = match read_as(path, "input/x.csv", &Settings::default(), go_on) {
        // What has no content is read as no table.
        Err(TableError::Empty { .. }) => return Ok(fs::write(target, "")?),
        reading => reading?,
    };
    reading.write(Writing::AsRead, File::create(target)?, go_on)?;
    Ok(())
}
