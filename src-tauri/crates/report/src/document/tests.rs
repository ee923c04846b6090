use super::*;

fn read(markdown: &str) -> Document {
    Document::read(markdown, &|path| path == "charts/a.png" || path == "rows.csv")
}

fn text(text: &str) -> Inline {
    Inline::Text { text: text.to_owned() }
}

fn paragraph(content: Vec<Inline>) -> Block {
    Block::Paragraph { content }
}

/// The lines of a document, as words.
fn lines(document: &mut Document) -> Vec<String> {
    let mut lines = Vec::new();
    for_each_line(&mut document.blocks, &mut |content| lines.push(words(content)));
    lines
}

#[test]
fn blocks_and_inlines_are_read() {
    let document = read(
        "# A *title*\n\nSome **bold** and ~~old~~ words,\nand `code`.\n\n> quoted\n\n---\n\n```python\nx = 1\n```\n",
    );
    assert_eq!(document.title().as_deref(), Some("A title"));
    assert_eq!(
        document.blocks,
        [
            Block::Heading {
                level: 1,
                id: "a-title".into(),
                content: vec![text("A "), Inline::Emphasis { content: vec![text("title")] }],
            },
            paragraph(vec![
                text("Some "),
                Inline::Strong { content: vec![text("bold")] },
                text(" and "),
                Inline::Struck { content: vec![text("old")] },
                text(" words, and "),
                Inline::Code { text: "code".into() },
                text("."),
            ]),
            Block::Quote { blocks: vec![paragraph(vec![text("quoted")])] },
            Block::Rule,
            Block::Code { language: "python".into(), text: "x = 1\n".into() },
        ]
    );
}

#[test]
fn lists_hold_tasks_and_lists() {
    let document = read("3. first\n4. second\n   - [x] done\n   - [ ] open\n");
    let item = |done, word: &str| Item { done, blocks: vec![paragraph(vec![text(word)])] };
    let inner = Block::List { start: None, items: vec![item(Some(true), "done"), item(Some(false), "open")] };
    let mut second = item(None, "second");
    second.blocks.push(inner);
    assert_eq!(document.blocks, [Block::List { start: Some(3), items: vec![item(None, "first"), second] }]);
}

#[test]
fn tables_keep_their_columns() {
    let document = read("| a | b | c |\n|---|:-:|--:|\n| x | y | z |\n");
    let cell = |word: &str| vec![text(word)];
    assert_eq!(
        document.blocks,
        [Block::Table {
            columns: vec![Align::Start, Align::Center, Align::End],
            head: vec![cell("a"), cell("b"), cell("c")],
            rows: vec![vec![cell("x"), cell("y"), cell("z")]],
        }]
    );
}

#[test]
fn footnotes_are_numbered_as_they_are_referred_to() {
    let document = read("One[^b] and two[^a] and one again[^b].\n\n[^a]: The second.\n[^b]: The first.\n");
    assert_eq!(
        document.blocks,
        [paragraph(vec![
            text("One"),
            Inline::Note { number: 1 },
            text(" and two"),
            Inline::Note { number: 2 },
            text(" and one again"),
            Inline::Note { number: 1 },
            text("."),
        ])]
    );
    let notes = ["The first.", "The second."].map(|words| vec![paragraph(vec![text(words)])]);
    assert_eq!(document.notes, notes);
}

#[test]
fn formulas_are_marked_and_money_stays_money() {
    let document = read(
        "It cost $5 and $6, so \\(a_1 * b * c\\) holds, not \\(open.\n\n$$\nx^2\n$$\n\nAnd $$y$$ too.\n",
    );
    let formula = |tex: &str| Inline::Formula { tex: tex.into() };
    let [Block::Paragraph { content }, Block::Formula { tex }, last] = document.blocks.as_slice() else {
        panic!("{:?}", document.blocks)
    };
    assert!(content.contains(&formula("a_1 * b * c")), "{content:?}");
    assert_eq!(words(content), "It cost $5 and $6, so a_1 * b * c holds, not (open.");
    assert_eq!(tex, "x^2");
    assert_eq!(*last, paragraph(vec![text("And "), formula("y"), text(" too.")]));
}

#[test]
fn field_112_html_stays_text() {
    for html in ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>"] {
        let mut document =
            read(&format!("before\n\n{html}\n\nwithin {html} a line\n\n| a |\n|---|\n| {html} |\n"));
        let found = lines(&mut document);
        assert_eq!(found[1], html);
        assert_eq!(found[2], format!("within {html} a line"));
        assert_eq!(found[4], html);
    }
    assert!(read("<!-- a remark -->\n").blocks.is_empty());
}

#[test]
fn field_095_114_115_links_lead_to_what_is_there_and_nowhere_else() {
    let document = read(
        "[a](rows.csv) [b](gone.csv) [c](https://example.org/x) [d](#there) [e](#nowhere) ![f](charts/a.png) \
         ![g](https://example.org/p.png) [h](javascript:alert(1))\n\n## There\n",
    );
    let Block::Paragraph { content } = &document.blocks[0] else { panic!("{:?}", document.blocks) };
    let targets: Vec<&Target> = content
        .iter()
        .filter_map(|inline| match inline {
            Inline::Link { to, .. } | Inline::Picture { to, .. } => Some(to),
            _ => None,
        })
        .collect();
    let file = |path: &str| Target::File { path: path.into() };
    let missing = |path: &str| Target::Missing { path: path.into() };
    let web = |address: &str| Target::Web { address: address.into() };
    assert_eq!(
        targets,
        [
            &file("rows.csv"),
            &missing("gone.csv"),
            &web("https://example.org/x"),
            &Target::Place { id: "there".into() },
            &file("charts/a.png"),
            &web("https://example.org/p.png"),
            &missing("javascript:alert(1)"),
        ]
    );
    assert_eq!(words(content).matches('e').count(), 1, "a link to no heading is its words");
}

/// Where the pictures and links of a report lead, in order.
fn targets(markdown: &str, files: &[&str]) -> Vec<Target> {
    let mut document = Document::read(markdown, &|path| files.contains(&path));
    let mut found = Vec::new();
    document.for_each_line(&mut |content| {
        found.extend(content.iter().filter_map(|inline| match inline {
            Inline::Link { to, .. } | Inline::Picture { to, .. } => Some(to.clone()),
            _ => None,
        }));
    });
    found
}

#[test]
fn field_115_pictures_are_found_however_they_are_named() {
    let files = ["charts/a b.png", "charts/ü.png", "charts/a.png", "charts/no #1.png"];
    for (markdown, path) in [
        ("so ![c](charts/a b.png) it is", files[0]),
        ("![c](charts/a%20b.png)", files[0]),
        ("![c](<charts/a b.png>)", files[0]),
        ("![c](./charts/ü.png)", files[1]),
        ("![c](charts/u\u{308}.png)", files[1]),
        ("<img src=\"charts/a.png\">", files[2]),
        ("so <IMG alt='x' src='charts/a.png' onerror=\"alert(1)\" /> it is", files[2]),
        ("![c](output/charts/a.png)", files[2]),
        ("![c](charts\\a.png)", files[2]),
        ("![c](charts/a.png?v=2)", files[2]),
        ("![c](<charts/no #1.png>)", files[3]),
    ] {
        assert_eq!(targets(markdown, &files), [Target::File { path: path.into() }], "{markdown}");
    }
}

#[test]
fn field_114_what_lies_elsewhere_stays_there() {
    let web = |address: &str| Target::Web { address: address.into() };
    let missing = |path: &str| Target::Missing { path: path.into() };
    for (markdown, target) in [
        ("![t](//evil.example/p.png)", web("//evil.example/p.png")),
        ("<img src=\"https://evil.example/p.png\">", web("https://evil.example/p.png")),
        ("![t](https://evil.example/a b.png)", web("https://evil.example/a b.png")),
        ("![c](../a b.png)", missing("../a b.png")),
        ("![c](%2e%2e/charts/a.png)", missing("../charts/a.png")),
        ("[x](data:text/html,<script>)", missing("data:text/html,<script>")),
    ] {
        assert_eq!(targets(markdown, &[]), [target], "{markdown}");
    }
    for markdown in ["<img src=x>", "<img src=\"a\" onerror=alert(1)>", "`![c](a b.png)`", "![c](no ending)"]
    {
        assert_eq!(targets(markdown, &[]), [], "{markdown}");
    }
}

#[test]
fn headings_of_one_name_have_ids_of_their_own() {
    let ids: Vec<String> = read("# A b!\n# A b\n# Ü 2\n")
        .blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Heading { id, .. } => Some(id),
            _ => None,
        })
        .collect();
    assert_eq!(ids, ["a-b", "a-b-1", "ü-2"]);
}

#[test]
fn figures_split_the_line_where_they_stand() {
    let document = read("Up **12.5** % to 1,234 kWh.\n");
    assert_eq!(
        document.blocks,
        [paragraph(vec![
            text("Up "),
            Inline::Strong { content: vec![Inline::Figure { text: "12.5".into(), number: 0 }] },
            text(" % to "),
            Inline::Figure { text: "1,234".into(), number: 1 },
            text(" kWh."),
        ])]
    );
    let found: Vec<&str> = document.figures.iter().map(|figure| figure.text.as_str()).collect();
    assert_eq!(found, ["12.5 %", "1,234"]);
}

#[test]
fn a_report_of_any_shape_is_read() {
    let deep = format!("{}x", "> ".repeat(3000));
    assert_eq!(lines(&mut read(&deep)).len(), 1);
    let nested = (0..200).map(|depth| "  ".repeat(depth) + "- x\n").collect::<String>();
    assert!(!lines(&mut read(&nested)).is_empty());
    for markdown in
        ["", "[^a]: only a note", "| a |\n|--", "\\(", "$$", "$$\n\n$$", "**[x](", "\u{0}", "\\(**a\\)**"]
    {
        let _ = read(markdown);
    }
}
