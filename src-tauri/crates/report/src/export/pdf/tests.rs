//! tests
use super::*;
use crate::Document;
#[test]
fn look() {
    let dir = std::path::PathBuf::from("/tmp/look");
    let md = std::fs::read_to_string(dir.join("a.md")).unwrap();
    let document = Document::read(&md, &|p| dir.join(p).exists());
    let verdicts = vec![crate::Verdict::NotFound; document.figures.len().min(3)];
    let parcel = Parcel {
        document: &document,
        verdicts: &verdicts,
        title: "Energy 2025 – three unusual events",
        files: &dir,
    };
    let t = std::time::Instant::now();
    let src = Source::write(&parcel, Formulas::Set);
    std::fs::write(dir.join("a.typ"), &src.text).unwrap();
    let export = pdf(&parcel, &|a, b| {
        eprintln!("{a}/{b} {:?}", t.elapsed());
        Ok(())
    })
    .unwrap();
    eprintln!("{:?} {:?}", t.elapsed(), export.remarks);
    std::fs::write(dir.join("a.pdf"), &export.bytes).unwrap();
}
