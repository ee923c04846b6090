//! The pictures of a report, looked at before they are set.

use typst::World;
use typst::comemo::Track;
use typst::foundations::{Bytes, Dict, IntoValue, dict};
use typst::layout::{Abs, Length};
use typst::visualize::{ImageFormat, RasterFormat, RasterImage, SvgImage, VectorFormat};

use super::fonts::Reach;
use super::world::Desk;
use crate::export::{ExportError, Parcel};

/// Pixels are taken as those of a screen: 96 to an inch.
const PT_PER_PX: f64 = 0.75;

/// A picture that can be drawn.
pub(super) struct Picture {
    bytes: Bytes,
    size_px: (f64, f64),
    /// Whether it has words that are drawn with fonts of this computer.
    pub(super) reach: Reach,
}

impl Picture {
    /// Reads a picture of the run, and fails where it could not be drawn.
    pub(super) fn read(parcel: &Parcel<'_>, path: &str) -> Result<Self, ExportError> {
        let bytes = Bytes::new(parcel.read(path)?);
        let unreadable =
            |reason: &str| ExportError::Unreadable { path: path.to_owned(), reason: reason.to_owned() };
        match ImageFormat::detect(&bytes) {
            Some(ImageFormat::Raster(format @ RasterFormat::Exchange(_))) => {
                let image =
                    RasterImage::plain(bytes.clone(), format).map_err(|reason| unreadable(&reason))?;
                let size_px = (f64::from(image.width()), f64::from(image.height()));
                Ok(Self { bytes, size_px, reach: Reach::Embedded })
            }
            Some(ImageFormat::Vector(VectorFormat::Svg)) => Self::vector(&bytes, unreadable),
            _ => Err(unreadable("it is no PNG, JPEG, GIF, WebP or SVG picture")),
        }
    }

    fn vector(bytes: &[u8], unreadable: impl Fn(&str) -> ExportError) -> Result<Self, ExportError> {
        let bytes = Bytes::new(without_outside(bytes));
        let image = SvgImage::new(bytes.clone()).map_err(|_| unreadable("it is no valid SVG picture"))?;
        let desk = Desk::new("", Dict::new(), Reach::Embedded);
        let world: &dyn World = &desk;
        SvgImage::with_fonts_images(bytes.clone(), world.track(), &[], None)
            .map_err(|_| unreadable("it draws in another file, which is not done"))?;
        let has_words = bytes.windows(5).any(|bytes| bytes == b"<text");
        let reach = if has_words { Reach::Computer } else { Reach::Embedded };
        Ok(Self { bytes, size_px: (image.width(), image.height()), reach })
    }

    /// As the text finds it.
    pub(super) fn into_input(self) -> Dict {
        let length = |px: f64| Length::from(Abs::pt(px.max(1.0) * PT_PER_PX)).into_value();
        dict! {
            "bytes" => self.bytes,
            "width" => length(self.size_px.0),
            "height" => length(self.size_px.1),
        }
    }
}

/// A drawing without what it would draw in from elsewhere: nothing is fetched for a picture, here as in a browser.
fn without_outside(svg: &[u8]) -> Vec<u8> {
    const NAME: &[u8] = b"href=";
    let mut kept = Vec::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.windows(NAME.len()).position(|part| part == NAME) {
        let (before, value) = rest.split_at(at + NAME.len());
        kept.extend_from_slice(before);
        rest = value;
        let Some((_, inner)) = value.split_first().filter(|(mark, _)| matches!(mark, b'"' | b'\'')) else {
            continue;
        };
        if !inner.starts_with(b"#") && !inner.starts_with(b"data:") {
            // Under another name it says nothing.
            kept.truncate(kept.len() - NAME.len());
            kept.extend_from_slice(b"none=");
        }
    }
    kept.extend_from_slice(rest);
    kept
}
