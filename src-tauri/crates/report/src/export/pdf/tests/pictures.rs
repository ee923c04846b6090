//! Pictures are all there, and a bad one is not passed over.

use super::{SVG, can_open, exported, folder, made, png, read};
use crate::export::pdf::pdf;
use crate::{ExportError, Parcel};

#[test]
fn every_picture_is_there_in_order() {
    if !can_open() {
        return;
    }
    let opened = made(
        "# R\n\n![First](b.png)\n\nText ![Second](a.png) *![Third](c.jpg)* text.\n\n- ![Fourth](d.gif)\n\n\
         ![Fifth](e.webp)\n\n| x |\n|---|\n| ![Sixth](b.png) |\n\n![Drawn](f.svg)\n",
    );
    assert_eq!(opened.pictures(), [(50, 30), (40, 20), (31, 21), (32, 22), (33, 23), (50, 30)]);
    let found = opened.letters();
    for alt in ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Drawn"] {
        assert!(found.contains(alt), "{alt} is not in {found}");
    }
}

#[test]
fn a_missing_picture_is_a_line() {
    if !can_open() {
        return;
    }
    let opened = made("# R\n\n![The rents](charts/no.png)\n\n![](https://example.org/x.png)\n");
    let found = opened.letters();
    assert!(found.contains("Therents:charts/no.pngisnotamongthefilesofthisrun."), "{found}");
    assert!(found.contains("https://example.org/x.pngisnotfetched."), "{found}");
}

#[test]
fn a_picture_that_cannot_be_drawn_ends_the_export() {
    let folder = folder();
    let cut = &png(40, 20)[..60];
    let files: [(&str, Vec<u8>); 4] = [
        ("cut.png", cut.to_vec()),
        ("words.png", b"no picture".to_vec()),
        ("empty.jpg", Vec::new()),
        ("wrong.svg", SVG.replace("/></svg>", "").into_bytes()),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let document = read(&format!("![x]({name})"), folder.path());
        let parcel =
            Parcel { document: &document, verdicts: &[], title: "A", files: folder.path(), cells: &[] };
        let error = pdf(&parcel, &|_, _| Ok(())).unwrap_err();
        assert!(matches!(&error, ExportError::Unreadable { path, .. } if path == name), "{name}: {error}");
    }
}

#[test]
fn a_drawing_is_drawn_without_what_lies_elsewhere() {
    let folder = folder();
    let outside = r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9"
        height="9"><image width="9" height="9" xlink:href="HREF"/></svg>"#;
    for place in ["file:///etc/passwd", "/etc/hostname.png", "a.png", "https://example.org/a.png"] {
        std::fs::write(folder.path().join("outside.svg"), outside.replace("HREF", place)).unwrap();
        let export = exported(&read("Seen.\n\n![x](outside.svg)", folder.path()), &[], folder.path());
        let bytes = export.bytes;
        assert!(!bytes.windows(12).any(|part| part == b"/Image /Type" || part == b"Subtype/Imag"), "{place}");
        assert!(!bytes.windows(8).any(|part| part == b"hostname"), "{place}");
    }
}
