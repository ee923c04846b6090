//! Pictures within a document.

use super::super::ExportError;
use super::super::picture::{Picture, PictureKind};
use super::super::text::escaped;
use super::story::{Medium, Relation, Writer};

/// English metric units, in which pictures are measured, to a dot at 96 dots an inch.
const UNITS_PER_DOT: u64 = 9525;
/// The same to a twentieth of a point.
const UNITS_PER_TWENTIETH: u64 = 635;
const UNITS_PER_CM: u64 = 360_000;

impl Writer<'_> {
    /// A picture with its words for those who do not see it, no wider than `width` in twentieths of a point.
    pub(super) fn drawing(&mut self, path: &str, alt: &str, width: u32) -> Result<(), ExportError> {
        let medium = self.medium(path)?;
        let Medium { name, width: dots_wide, height: dots_high, .. } = &self.media[medium];
        let (wide, high) = size(*dots_wide, *dots_high, u64::from(width) * UNITS_PER_TWENTIETH);
        let name = name.clone();
        let relation = self.relate(Relation::Picture(name));
        self.shown += 1;
        let id = self.shown;
        let alt = escaped(alt.trim());
        self.push(&format!(
            r#"<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="{wide}" cy="{high}"/><wp:docPr id="{id}" name="Picture {id}" descr="{alt}"/><wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="{id}" name="Picture {id}" descr="{alt}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{wide}" cy="{high}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"#
        ));
        Ok(())
    }

    /// The place of a picture among those of the document; each is in it once.
    fn medium(&mut self, path: &str) -> Result<usize, ExportError> {
        if let Some(known) = self.media.iter().position(|medium| medium.path == path) {
            return Ok(known);
        }
        let picture = Picture::read(self.parcel, path)?;
        let (width, height) = (picture.width, picture.height);
        let picture = picture.for_word(path)?;
        let end = match picture.kind {
            PictureKind::Jpeg => "jpeg",
            PictureKind::Gif => "gif",
            PictureKind::Png | PictureKind::Webp | PictureKind::Svg => "png",
        };
        let name = format!("media/picture{}.{end}", self.media.len() + 1);
        self.media.push(Medium { path: path.to_owned(), name, bytes: picture.bytes, width, height });
        Ok(self.media.len() - 1)
    }
}

/// The size of a picture on paper: as large as on a screen, and small enough to leave room for words.
fn size(dots_wide: u32, dots_high: u32, most_wide: u64) -> (u64, u64) {
    let (wide, high) = (u64::from(dots_wide.max(1)), u64::from(dots_high.max(1)));
    let most_high = if high > wide { 15 * UNITS_PER_CM } else { 9 * UNITS_PER_CM };
    let by_width = most_wide.min(wide * UNITS_PER_DOT);
    let by_height = most_high.min(high * UNITS_PER_DOT);
    if by_width * high <= by_height * wide {
        (by_width, (by_width * high / wide).max(1))
    } else {
        ((by_height * wide / high).max(1), by_height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_shape_and_fits_the_page() {
        let page = 16 * UNITS_PER_CM;
        assert_eq!(size(240, 160, page), (240 * UNITS_PER_DOT, 160 * UNITS_PER_DOT));
        assert_eq!(size(1600, 400, page), (page, page / 4));
        assert_eq!(size(1000, 1000, page), (9 * UNITS_PER_CM, 9 * UNITS_PER_CM));
        assert_eq!(size(1000, 2000, page), (15 * UNITS_PER_CM / 2, 15 * UNITS_PER_CM));
        assert_eq!(size(100_000, 1, page), (page, page / 100_000));
        assert_eq!(size(0, 0, page), (UNITS_PER_DOT, UNITS_PER_DOT));
    }
}
