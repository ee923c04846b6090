import temml from "temml";

const MATHML = "http://www.w3.org/1998/Math/MathML";
/** Longer formulas, in characters, are shown letter by letter. */
const LONGEST = 2000;

/** A formula in TeX as MathML, or null where it cannot be read. It is data: it leads nowhere and has no id. */
export function mathOf(tex: string, display: "inline" | "block"): Element | null {
  if (tex.length > LONGEST) return null;
  const drawn = document.createElement("span");
  try {
    temml.render(tex, drawn, {
      displayMode: display === "block",
      throwOnError: true,
      trust: false,
      strict: false,
      // In ems, and in steps.
      maxSize: [20, 20],
      maxExpand: 200,
    });
  } catch {
    return null;
  }
  for (const part of drawn.querySelectorAll("*")) {
    // Places for numbers of equations are no MathML, and empty.
    if (part.namespaceURI !== MATHML) part.replaceWith(part.textContent);
    for (const name of ["id", "href", "src"]) part.removeAttribute(name);
  }
  return drawn.firstElementChild;
}
