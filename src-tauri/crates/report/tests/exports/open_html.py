"""What a browser would read in a page, as JSON: its pictures, its text, and every attribute."""

import json
import sys

import html5lib

NAMESPACE = "{http://www.w3.org/1999/xhtml}"

parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=True)
with open(sys.argv[1], "rb") as file:
    root = parser.parse(file)

elements = [(str(element.tag).replace(NAMESPACE, ""), element.attrib) for element in root.iter()]
# What is wrong with the page by the rules of HTML; the reader knows nothing of elements that are not closed.
errors = [f"{code} at {place}" for place, code, _ in parser.errors]
main = next(root.iter(NAMESPACE + "main"))
title = next(root.iter(NAMESPACE + "title"))
style = next(root.iter(NAMESPACE + "style"))
print(json.dumps({
    "errors": errors,
    "title": title.text,
    "style": style.text,
    "text": "".join(main.itertext()),
    "images": [dict(attributes) for name, attributes in elements if name == "img"],
    "elements": sorted({name for name, _ in elements}),
    "attributes": [[name, str(key), value] for name, attributes in elements for key, value in attributes.items()],
}))
