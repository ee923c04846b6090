//! A report as one page that needs nothing beside itself: no other file, no script, no web.

mod blocks;
mod formula;
mod inlines;

use super::text::{Direction, closing_line, escaped};
use super::{Export, ExportError, Parcel, Progress};
use blocks::Page;

/// What a browser may do with the page, however it is read: show it, and pictures within it.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                              form-action 'none'";

const STYLE: &str = include_str!("html/style.css");

/// Writes a report as a single HTML file.
pub fn html(parcel: &Parcel<'_>, progress: Progress<'_>) -> Result<Export, ExportError> {
    let mut page = Page::new(parcel);
    let total = parcel.document.blocks.len() + 1;
    if parcel.document.title().is_none() {
        page.push(&format!("<h1 dir=\"auto\">{}</h1>\n", escaped(parcel.title)));
    }
    for (done, block) in parcel.document.blocks.iter().enumerate() {
        progress(done, total)?;
        page.block(block)?;
    }
    page.notes()?;
    if let Some(line) = closing_line(parcel) {
        page.push(&format!("<p class=\"closing\">{}</p>\n", escaped(&line)));
    }
    progress(total, total)?;
    Ok(Export { bytes: document(parcel, &page.into_text()).into_bytes(), remarks: Vec::new() })
}

fn document(parcel: &Parcel<'_>, body: &str) -> String {
    let title = escaped(parcel.title);
    let direction = match Direction::of_most(&parcel.document.blocks) {
        Direction::Ltr => "ltr",
        Direction::Rtl => "rtl",
    };
    format!(
        "<!DOCTYPE html>\n<html dir=\"{direction}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_POLICY}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::evidence::Verdict;

    fn page(markdown: &str, verdict: Option<&Verdict>) -> String {
        let document = Document::read(markdown, &|_| false);
        let verdicts: Vec<Verdict> =
            verdict.into_iter().cycle().take(document.figures.len()).cloned().collect();
        let parcel = Parcel {
            document: &document,
            verdicts: &verdicts,
            title: "A <run>",
            files: "".as_ref(),
            cells: &[],
        };
        let bytes = html(&parcel, &|_, _| Ok(())).unwrap().bytes;
        let page = String::from_utf8(bytes).unwrap();
        let start = page.find("<main>\n").unwrap() + "<main>\n".len();
        page[start..page.find("</main>").unwrap()].to_owned()
    }

    #[test]
    fn blocks_become_the_elements_that_mean_them() {
        let written = page(
            "# A *b*\n\n> c\n\n3. d\n4. e\n\n- [x] f\n\n```python\n<g>\n```\n\n| h | i |\n|---|--:|\n| j | k |\n\n---\n\nl\\\nm `n` ~~o~~ **p**\n",
            None,
        );
        assert_eq!(
            written,
            "<h1 id=\"a-b\" dir=\"auto\">A <em>b</em></h1>\n\
             <blockquote dir=\"ltr\">\n<p dir=\"auto\">c</p>\n</blockquote>\n\
             <ol start=\"3\" dir=\"ltr\">\n<li>\n<p dir=\"auto\">d</p>\n</li>\n<li>\n<p dir=\"auto\">e</p>\n</li>\n</ol>\n\
             <ul dir=\"ltr\">\n<li class=\"task\"><span role=\"img\" aria-label=\"done\">☑</span>\n<p dir=\"auto\">f</p>\n</li>\n</ul>\n\
             <pre dir=\"ltr\" tabindex=\"0\"><code class=\"language-python\">&lt;g&gt;\n</code></pre>\n\
             <div class=\"table\" role=\"region\" aria-label=\"Table: h, i\" tabindex=\"0\">\n<table>\n\
             <thead>\n<tr><th scope=\"col\"><bdi>h</bdi></th><th scope=\"col\" class=\"end\"><bdi>i</bdi></th></tr>\n</thead>\n\
             <tbody>\n<tr><td><bdi>j</bdi></td><td class=\"end\"><bdi>k</bdi></td></tr>\n</tbody>\n</table>\n</div>\n\
             <hr>\n<p dir=\"auto\">l<br>\nm <code>n</code> <s>o</s> <strong>p</strong></p>\n"
        );
    }

    #[test]
    fn a_page_without_a_heading_has_the_name_of_the_run() {
        assert_eq!(page("a\n", None), "<h1 dir=\"auto\">A &lt;run&gt;</h1>\n<p dir=\"auto\">a</p>\n");
    }

    #[test]
    fn notes_lead_there_and_back() {
        let written = page("# t\n\na[^x] b[^y] c[^x]\n\n[^x]: one\n[^y]: two\n", None);
        for (place, link) in [("note.1.1", "note.1"), ("note.1.2", "note.1"), ("note.2.1", "note.2")] {
            assert!(written.contains(&format!("<a id=\"{place}\" href=\"#{link}\"")), "{written}");
            assert!(written.contains(&format!("href=\"#{place}\"")), "{written}");
            assert_eq!(written.matches(&format!(" id=\"{link}\"")).count(), 1, "{written}");
        }
    }

    #[test]
    fn field_112_hostile_text_is_shown_and_does_nothing() {
        for hostile in
            ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "\"><b>"]
        {
            let safe = escaped(hostile);
            let written = page(
                &format!(
                    "# {hostile}\n\n| {hostile} |\n|---|\n| x |\n\n`{hostile}`\n\n```{hostile}\n{hostile}\n```\n\n![{hostile}](gone.png)\n\n![{hostile}](https://e.example/)\n\n$$ {hostile} $$\n\na [{hostile}](<https://e.example/{hostile}>)\n"
                ),
                None,
            );
            assert!(!written.contains(hostile), "{written}");
            assert!(written.matches(&safe).count() >= 6, "{written}");
        }
        let written = page("[x](javascript:alert(1)) ![y](data:image/svg+xml,z)\n", None);
        assert!(!written.contains("href") && !written.contains("src"), "{written}");
    }

    #[test]
    fn figures_that_were_not_found_are_marked_and_counted() {
        let written = page("# t\n\nUp to 1,234 kWh in 7 rooms.\n", Some(&Verdict::NotFound));
        assert!(
            written.contains("<span class=\"unfound\" title=\"Not found in what was computed\">1,234</span>")
        );
        assert!(written.ends_with("in what was computed. That is 2 of 2.</p>\n"), "{written}");
        let written = page("# t\n\nUp to 1,234 kWh.\n", None);
        assert!(!written.contains("unfound") && !written.contains("closing"), "{written}");
    }

    #[test]
    fn a_page_mostly_from_right_to_left_is_laid_out_so() {
        let document = Document::read("# שלום\n\nאחת\n\n- a\n", &|_| false);
        let parcel = Parcel { document: &document, verdicts: &[], title: "", files: "".as_ref(), cells: &[] };
        let page = String::from_utf8(html(&parcel, &|_, _| Ok(())).unwrap().bytes).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>\n<html dir=\"rtl\">"));
    }

    #[test]
    fn an_export_that_nobody_waits_for_ends() {
        let document = Document::read("a\n\nb\n", &|_| false);
        let parcel = Parcel { document: &document, verdicts: &[], title: "", files: "".as_ref(), cells: &[] };
        let stop = |done: usize, _| if done == 1 { Err(ExportError::Stopped) } else { Ok(()) };
        assert!(matches!(html(&parcel, &stop), Err(ExportError::Stopped)));
    }
}
