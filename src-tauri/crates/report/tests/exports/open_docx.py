"""What lies in a document of a word processor, as JSON; read with nothing but a zip and an XML reader."""

import base64
import json
import re
import sys
import zipfile
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

archive = zipfile.ZipFile(sys.argv[1])
parts = {name: archive.read(name) for name in archive.namelist()}
trees = {name: ElementTree.fromstring(data) for name, data in parts.items() if name.endswith((".xml", ".rels"))}
document, notes = trees["word/document.xml"], trees["word/footnotes.xml"]
relations = {
    element.get("Id"): element.attrib for element in trees["word/_rels/document.xml.rels"]
}


def text(element):
    return "".join(piece.text or "" for piece in element.iter(W + "t"))


def style(paragraph):
    return paragraph.find(f"{W}pPr/{W}pStyle").get(W + "val")


def mark(paragraph):
    found = [paragraph.find(f"{W}pPr/{W}numPr/{W}{name}") for name in ("numId", "ilvl")]
    return None if found[0] is None else [int(element.get(W + "val")) for element in found]


def image(drawing):
    blip = next(drawing.iter(A + "blip"))
    extent, properties = next(drawing.iter(WP + "extent")), next(drawing.iter(WP + "docPr"))
    return {
        "bytes": base64.b64encode(parts["word/" + relations[blip.get(R + "embed")]["Target"]]).decode(),
        "alt": properties.get("descr"),
        "size": [int(extent.get("cx")), int(extent.get("cy"))],
    }


paragraphs = list(document.iter(W + "p"))
print(json.dumps({
    "broken": archive.testzip(),
    "times": sorted({entry.date_time for entry in archive.infolist()}),
    "text": " ".join(text(paragraph) for paragraph in paragraphs),
    "notes": [[note.get(W + "id"), text(note)] for note in notes],
    "headings": [[style(p), text(p)] for p in paragraphs if style(p).startswith("Heading")],
    "styles": sorted({style(p) for p in paragraphs} - {s.get(W + "styleId") for s in trees["word/styles.xml"]}),
    "lists": [[*mark(p), text(p)] for p in paragraphs if mark(p)],
    "right_to_left": [text(p) for p in paragraphs if p.find(f"{W}pPr/{W}bidi") is not None],
    "images": [image(drawing) for drawing in document.iter(W + "drawing")],
    "captions": [text(p) for p in paragraphs if style(p) == "Caption"],
    "tables": [
        {
            "heads": len(list(table.iter(W + "tblHeader"))),
            "rows": len(table.findall(W + "tr")),
            "columns": len(table.findall(f"{W}tblGrid/{W}gridCol")),
            "width": sum(int(column.get(W + "w")) for column in table.findall(f"{W}tblGrid/{W}gridCol")),
            "align": [
                jc.get(W + "val") if (jc := cell.find(f"{W}p/{W}pPr/{W}jc")) is not None else None
                for cell in table.findall(W + "tr")[1].findall(W + "tc")
            ],
        }
        for table in document.iter(W + "tbl")
    ],
    "unfound": [
        text(run) for run in document.iter(W + "r")
        if (line := run.find(f"{W}rPr/{W}u")) is not None and line.get(W + "val") == "dotted"
    ],
    "references": [element.get(W + "id") for element in document.iter(W + "footnoteReference")],
    "links": [
        [text(link), relations[link.get(R + "id")]["Target"] if link.get(R + "id") else "#" + link.get(W + "anchor")]
        for link in document.iter(W + "hyperlink")
    ],
    "bookmarks": [element.get(W + "name") for element in document.iter(W + "bookmarkStart")],
    "outside": sorted(
        element.get("Target")
        for name, tree in trees.items() if name.endswith(".rels")
        for element in tree if element.get("TargetMode") == "External"
    ),
    "fields": [
        (element.get(W + "instr") or element.text).strip()
        for tree in trees.values()
        for element in [*tree.iter(W + "fldSimple"), *tree.iter(W + "instrText")]
    ],
    "addresses": sorted({
        host for name, data in parts.items() if name.endswith((".xml", ".rels"))
        for host in re.findall(r"(?:file:|https?://)[^/\"&<]*", data.decode())
    }),
}))
