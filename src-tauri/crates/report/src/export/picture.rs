//! Pictures of a run, checked before they go into a document.

use std::path::{Component, Path};
use std::sync::Arc;

use image::{DynamicImage, ImageFormat};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb};

use super::{ExportError, Parcel};

/// No side of a drawn picture has more dots.
const MAX_SIDE: f32 = 4000.0;
/// So many dots a drawing gets for each of its units, to be sharp in print.
const DRAWN_SCALE: f32 = 2.0;

/// A picture that can be shown.
#[derive(Debug, Clone)]
pub(super) struct Picture {
    /// What it is.
    pub(super) kind: PictureKind,
    /// The file.
    pub(super) bytes: Vec<u8>,
    /// Width in dots.
    pub(super) width: u32,
    /// Height in dots.
    pub(super) height: u32,
}

/// The kinds of pictures that a report may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// SVG.
    Svg,
}

impl PictureKind {
    /// The media type.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Svg => "image/svg+xml",
        }
    }
}

impl Picture {
    /// Reads a picture of the run. Its kind is told from its content; one that is broken is an error.
    pub(super) fn read(parcel: &Parcel<'_>, path: &str) -> Result<Self, ExportError> {
        let unreadable = |reason: String| ExportError::Unreadable { path: path.to_owned(), reason };
        let outside = || unreadable("it lies outside the folder of the run".to_owned());
        if !lies_below(path) {
            return Err(outside());
        }
        let bytes = parcel.read(path)?;
        if !stays_below(parcel, path) {
            return Err(outside());
        }
        let Some((format, kind)) = raster_kind(&bytes) else {
            let tree = drawing(&bytes, &Fonts::None).map_err(unreadable)?;
            let size = tree.size().to_int_size();
            return Ok(Self { kind: PictureKind::Svg, bytes, width: size.width(), height: size.height() });
        };
        let image = decoded(&bytes, format).map_err(unreadable)?;
        Ok(Self { kind, width: image.width(), height: image.height(), bytes })
    }

    /// The same picture as one of the kinds that every word processor reads: PNG, JPEG or GIF.
    pub(super) fn for_word(self, path: &str) -> Result<Self, ExportError> {
        let unreadable = |reason: String| ExportError::Unreadable { path: path.to_owned(), reason };
        let bytes = match self.kind {
            PictureKind::Png | PictureKind::Jpeg | PictureKind::Gif => return Ok(self),
            PictureKind::Webp => {
                let mut png = std::io::Cursor::new(Vec::new());
                decoded(&self.bytes, ImageFormat::WebP)
                    .and_then(|image| {
                        image.write_to(&mut png, ImageFormat::Png).map_err(|error| error.to_string())
                    })
                    .map_err(unreadable)?;
                png.into_inner()
            }
            PictureKind::Svg => drawn(&self.bytes).map_err(unreadable)?,
        };
        Ok(Self { kind: PictureKind::Png, bytes, ..self })
    }
}

/// Whether a path stays below the folder in which it is looked for.
pub(super) fn lies_below(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0', ':'])
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a file that is there truly lies below the folder of the run: a link of the file system may lead
/// elsewhere under a harmless name.
pub(super) fn stays_below(parcel: &Parcel<'_>, path: &str) -> bool {
    let (root, place) = (parcel.files.canonicalize(), parcel.place(path).canonicalize());
    lies_below(path) && root.is_ok_and(|root| place.is_ok_and(|place| place.starts_with(root)))
}

fn raster_kind(bytes: &[u8]) -> Option<(ImageFormat, PictureKind)> {
    let format = image::guess_format(bytes).ok()?;
    let kind = match format {
        ImageFormat::Png => PictureKind::Png,
        ImageFormat::Jpeg => PictureKind::Jpeg,
        ImageFormat::Gif => PictureKind::Gif,
        ImageFormat::WebP => PictureKind::Webp,
        _ => return None,
    };
    Some((format, kind))
}

fn decoded(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage, String> {
    image::load_from_memory_with_format(bytes, format).map_err(|error| error.to_string())
}

/// Which letters a drawing may use.
enum Fonts {
    /// None: it is only looked at.
    None,
    /// Those of the computer.
    System,
}

/// Reads a drawing. What it refers to outside of itself is not followed.
fn drawing(bytes: &[u8], fonts: &Fonts) -> Result<Tree, String> {
    let mut options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: ImageHrefResolver::default_data_resolver(),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    if let Fonts::System = fonts {
        let mut known = fontdb::Database::new();
        known.load_system_fonts();
        options.fontdb = Arc::new(known);
    }
    Tree::from_data(bytes, &options).map_err(|error| format!("it is no picture that can be shown ({error})"))
}

/// A drawing as PNG on white: dark letters on nothing cannot be read on a dark ground.
fn drawn(bytes: &[u8]) -> Result<Vec<u8>, String> {
    // Looking for the computer's fonts takes a while, and most drawings of charts hold their letters as lines.
    let fonts = if bytes.windows(5).any(|piece| piece == b"<text") { Fonts::System } else { Fonts::None };
    let tree = drawing(bytes, &fonts)?;
    let size = tree.size();
    let scale = DRAWN_SCALE.min(MAX_SIDE / size.width().max(size.height()));
    let dots = size.to_int_size().scale_by(scale).ok_or("it has no size")?;
    let mut drawn = Pixmap::new(dots.width(), dots.height()).ok_or("it has no size")?;
    drawn.fill(resvg::tiny_skia::Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut drawn.as_mut());
    drawn.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn read(path: &str, bytes: &[u8]) -> Result<Picture, ExportError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p"), bytes).unwrap();
        let document = Document::default();
        let parcel =
            Parcel { document: &document, verdicts: &[], title: "", files: folder.path(), cells: &[] };
        Picture::read(&parcel, path)
    }

    fn image(format: ImageFormat) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let image = image::RgbImage::from_pixel(3, 2, image::Rgb([164, 85, 43]));
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn each_kind_is_told_from_its_content() {
        for (format, kind) in [
            (ImageFormat::Png, PictureKind::Png),
            (ImageFormat::Jpeg, PictureKind::Jpeg),
            (ImageFormat::Gif, PictureKind::Gif),
            (ImageFormat::WebP, PictureKind::Webp),
        ] {
            let picture = read("p", &image(format)).unwrap();
            assert_eq!((picture.kind, picture.width, picture.height), (kind, 3, 2));
            let word = picture.for_word("p").unwrap();
            assert_ne!(word.kind, PictureKind::Webp);
            assert_eq!(raster_kind(&word.bytes).unwrap().1, word.kind);
        }
    }

    #[test]
    fn a_drawing_becomes_dots_and_follows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let black = folder.path().join("black.png");
        image::GrayImage::new(9, 9).save(&black).unwrap();
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='5'><image width='10' height='5' href='{}'/>\
             <rect width='5' height='5' fill='#a4552b'/><text y='4'>x</text></svg>",
            black.display()
        );
        let picture = read("p", svg.as_bytes()).unwrap();
        assert_eq!((picture.kind, picture.width, picture.height), (PictureKind::Svg, 10, 5));
        let word = picture.for_word("p").unwrap();
        let dots = image::load_from_memory(&word.bytes).unwrap().to_rgb8();
        assert_eq!((dots.width(), dots.height()), (20, 10));
        assert_eq!(dots.get_pixel(1, 1).0, [164, 85, 43]);
        assert_eq!(dots.get_pixel(19, 1).0, [255, 255, 255]);
    }

    #[test]
    fn field_118_a_broken_picture_is_an_error() {
        let png = image(ImageFormat::Png);
        for bytes in [&b""[..], b"not a picture", &png[..png.len() / 2], b"<svg", b"<html></html>"] {
            let error = read("p", bytes).unwrap_err();
            assert!(matches!(&error, ExportError::Unreadable { path, .. } if path == "p"), "{error}");
        }
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["/etc/hostname", "../p", "a/../../p", "..\\p", "C:\\p", "", "gone"] {
            assert!(matches!(read(path, b"x"), Err(ExportError::Unreadable { .. })), "{path}");
        }
        assert!(lies_below("charts/a b.png"));
    }

    #[cfg(unix)]
    #[test]
    fn no_link_of_the_file_system_leads_out_of_the_folder() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let private = elsewhere.path().join("private.png");
        std::fs::write(&private, image(ImageFormat::Png)).unwrap();
        std::os::unix::fs::symlink(&private, folder.path().join("p")).unwrap();
        let document = Document::default();
        let parcel =
            Parcel { document: &document, verdicts: &[], title: "", files: folder.path(), cells: &[] };
        let error = Picture::read(&parcel, "p").unwrap_err();
        assert!(error.to_string().ends_with("it lies outside the folder of the run"), "{error}");
    }
}
