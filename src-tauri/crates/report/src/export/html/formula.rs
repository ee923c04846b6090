//! Formulas for the web.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use super::super::text::escaped;

/// A formula as `MathML`, or its TeX as code where that is not understood.
pub(super) fn mathml(tex: &str, display: MathDisplay) -> String {
    converted(tex, display).unwrap_or_else(|| format!("<code class=\"tex\">{}</code>", escaped(tex)))
}

fn converted(tex: &str, display: MathDisplay) -> Option<String> {
    // The converter lets some of these pass as they are, such as within the name of an operator.
    let tex = tex.replace('<', "\\lt ").replace('>', "\\gt ");
    let converter = LatexToMathML::new(MathCoreConfig::default()).ok()?;
    let mathml = converter.convert_with_local_state(&tex, display).ok()?.mathml;
    is_plain(&mathml).then_some(mathml)
}

/// Whether `MathML` holds nothing but elements of its own, which do nothing and lead nowhere.
fn is_plain(mathml: &str) -> bool {
    let mut pieces = mathml.split('<');
    let before = pieces.next().unwrap_or_default();
    before.is_empty()
        && pieces.all(|piece| {
            let Some((tag, text)) = piece.split_once('>') else { return false };
            let name: String =
                tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            name.starts_with('m') && !tag.contains("href") && !tag.contains(" on") && !text.contains('>')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_set() {
        assert_eq!(
            mathml(r"\frac{a}{b} < 1", MathDisplay::Inline),
            "<math><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>&lt;</mo><mn>1</mn></math>"
        );
        assert!(mathml(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", MathDisplay::Block).contains("<mtd>"));
    }

    #[test]
    fn what_is_not_understood_stays_as_it_is_written() {
        assert_eq!(
            mathml(r"\nosuch{<x>}", MathDisplay::Inline),
            "<code class=\"tex\">\\nosuch{&lt;x&gt;}</code>"
        );
    }

    #[test]
    fn field_112_a_formula_brings_no_elements_of_its_own() {
        for hostile in [
            r"\operatorname{<b>}",
            r"\operatorname{<img src=x onerror=alert(1)>}",
            r"\text{<script>alert(1)</script>}",
            r"\href{javascript:alert(1)}{x}",
            r"\href{https://e.example}{x}",
            r#"\color{red" onload="x}y"#,
            r"\mathrm{</math><b>}",
            "<script>",
        ] {
            for display in [MathDisplay::Inline, MathDisplay::Block] {
                let written = mathml(hostile, display);
                let rest = written.replace("<code class=\"tex\">", "").replace("</code>", "");
                assert!(rest == escaped(hostile) || is_plain(&written), "{written}");
                for bad in ["<b", "<img", "<script", "<a", "\"https", "\"javascript", "\" onload"] {
                    assert!(!written.contains(bad), "{written}");
                }
            }
        }
    }
}
