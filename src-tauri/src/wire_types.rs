//! The types of the border, for the interface: `ui/src/api/generated/types.ts` is made from the commands' own
//! types, and a test fails where the two differ.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use assay_engine::{
    Comparison, Connections, DataStory, Diagnosis, Document, Engines, ExportForm, Exported, FileProfile,
    FilesAdded, ForClipboard, HostedTerms, ImageProgress, ListedModel, MovedColumn, NewFileCheck, OwnImage,
    Probe, Problem, ReportCheck, RunAsk, RunSummary, RunView, SandboxProof, SentPart, SentRequest, Settings,
    TablePage, WindowEvent,
};
use ts_rs::{Config, TS, TypeVisitor};

use crate::commands::{AppInfo, QuitAnswer, Sort};
use crate::exporting::ExportProgress;
use crate::reading::ReadingProgress;

/// Set to write the file instead of comparing it.
const WRITE: &str = "ASSAY_WRITE_TYPES";

/// Declarations by name, of the types that were seen and all that they are made of.
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Primitive types and containers have no place of their own.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = format!("{docs}export {}", T::decl(&self.config));
            let before = self.by_name.insert(T::ident(&self.config), declaration.clone());
            assert!(before.is_none_or(|before| before == declaration), "two types are named alike");
        }
        T::visit_dependencies(self);
    }
}

/// The whole file.
fn types() -> String {
    // Counts and sizes stay far below 2^53.
    let config = Config::new().with_large_int("number");
    let mut all = Declarations { config, seen: HashSet::new(), by_name: BTreeMap::new() };
    all.visit::<AppInfo>();
    all.visit::<Comparison>();
    all.visit::<Connections>();
    all.visit::<DataStory>();
    all.visit::<Diagnosis>();
    all.visit::<Engines>();
    all.visit::<ExportForm>();
    all.visit::<ExportProgress>();
    all.visit::<Exported>();
    all.visit::<FileProfile>();
    all.visit::<FilesAdded>();
    all.visit::<ForClipboard>();
    all.visit::<HostedTerms>();
    all.visit::<ImageProgress>();
    all.visit::<ListedModel>();
    all.visit::<MovedColumn>();
    all.visit::<NewFileCheck>();
    all.visit::<OwnImage>();
    all.visit::<Probe>();
    all.visit::<Problem>();
    all.visit::<QuitAnswer>();
    all.visit::<ReadingProgress>();
    all.visit::<ReportCheck>();
    all.visit::<RunAsk>();
    all.visit::<RunSummary>();
    all.visit::<RunView>();
    all.visit::<SandboxProof>();
    all.visit::<SentPart>();
    all.visit::<SentRequest>();
    all.visit::<Settings>();
    all.visit::<Sort>();
    all.visit::<TablePage>();
    all.visit::<WindowEvent>();
    let mut text =
        String::from("// Made from the shell's own types by `make types`. Changes belong there, not here.\n");
    for declaration in all.by_name.values() {
        let _ = write!(text, "\n{declaration}\n");
    }
    text
}

/// A file of the interface.
fn in_interface(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src").join(path)
}

/// Compares a file of the interface with what it is made from, or writes it.
fn check(path: &str, text: &str) {
    let place = in_interface(path);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&place, text).expect("the folder is there");
    }
    let kept = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(kept == text, "{path} is not what the shell would make: run `make types`");
}

#[test]
fn the_interface_has_the_types_of_the_border() {
    check("api/generated/types.ts", &types());
}

#[test]
fn the_report_of_the_practice_host_is_what_the_shell_would_read() {
    let markdown = std::fs::read_to_string(in_interface("platform/mock/run/report.md")).unwrap();
    let document = Document::read(&markdown, &|_| true);
    check("platform/mock/run/report.json", &format!("{}\n", serde_json::to_string(&document).unwrap()));
}
