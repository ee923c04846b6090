import type { Html, Image, Nodes, Paragraph, Parents, Text } from "mdast";

/**
 * Reads two ways of naming a picture that people and models use and Markdown does not know: a path
 * with blanks, `![a](charts/a b.png)`, and a lone `<img src="...">`. All other HTML stays text.
 */
export function writtenPictures() {
  return (tree: Nodes) => visit(tree);
}

function visit(node: Nodes): void {
  if (!("children" in node)) return;
  const parent: Parents = node;
  const children = parent.children.flatMap((child): Nodes[] => {
    if (child.type === "text") return inText(child);
    if (child.type === "html") return [inHtml(child, parent)];
    visit(child);
    return [child];
  });
  parent.children = children as typeof parent.children;
}

const BLANK_PATH = /!\[([^\]\n]*)\]\(([^()<>\n]* [^()<>\n]*\.\w+)\)/g;

function inText(node: Text): Nodes[] {
  const parts: Nodes[] = [];
  let from = 0;
  for (const found of node.value.matchAll(BLANK_PATH)) {
    if (found.index > from)
      parts.push({ type: "text", value: node.value.slice(from, found.index) });
    parts.push(picture(found[2] ?? "", found[1] ?? ""));
    from = found.index + found[0].length;
  }
  if (from === 0) return [node];
  if (from < node.value.length) parts.push({ type: "text", value: node.value.slice(from) });
  return parts;
}

const LONE_IMAGE = /^<img((?:\s+[a-z-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*)\s*\/?>$/i;

function inHtml(node: Html, parent: Parents): Nodes {
  const attributes = LONE_IMAGE.exec(node.value.trim())?.[1];
  if (attributes === undefined) return parent.type === "root" ? paragraph(node.value) : node;
  const value = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
      .exec(attributes)
      ?.slice(1)
      .join("");
  const image = picture(value("src") ?? "", value("alt") ?? "");
  return parent.type === "paragraph" ? image : { type: "paragraph", children: [image] };
}

/** Markup that stands by itself is read as a paragraph of its characters. */
function paragraph(value: string): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value }] };
}

function picture(url: string, alt: string): Image {
  return { type: "image", url, alt };
}
