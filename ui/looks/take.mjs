/**
 * Takes a picture of every view in both themes and three sizes, and asks axe about each.
 * `node looks/take.mjs [name part] [--out folder] [--size width]`; CHROMIUM names the browser.
 */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { build } from "vite";
import { scenes } from "./scenes.mjs";
import { serve } from "./server.mjs";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" }, size: { type: "string" } },
});
const out = values.out ?? new URL("pictures", import.meta.url).pathname;
const wanted = scenes.filter((scene) => scene.name.includes(positionals[0] ?? ""));

const sizes = [
  { width: 1280, height: 860 },
  { width: 900, height: 600 },
  // The smallest window at 200 % zoom.
  { width: 450, height: 300 },
].filter(({ width }) => values.size === undefined || width === Number(values.size));
/** Pages that are looked at side by side. */
const HANDS = 3;
const flags =
  "--no-sandbox --disable-gpu --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";

// A build of its own, so that nobody's work on `dist` changes what is looked at.
const built = new URL("../node_modules/.looks", import.meta.url).pathname;
await build({ logLevel: "warn", build: { outDir: built, emptyOutDir: true } });
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { address, close } = await serve(built);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: flags.split(" "),
});
await mkdir(out, { recursive: true });

let faults = 0;
const fault = (where, what) => {
  faults += 1;
  console.log(`${where}: ${what}`);
};

async function look({ scene, theme, size }) {
  const where = `${scene.name}-${theme}-${size.width}`;
  const context = await browser.newContext({ viewport: size, colorScheme: theme });
  // As the shell does before any script of the page.
  await context.addInitScript(() => Object.freeze(Object.prototype));
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on("console", (line) => line.type() === "error" && fault(where, line.text()));
  page.on("pageerror", (error) => fault(where, error.message));
  try {
    await page.goto(`${address}/?${scene.query}`);
    await page.getByRole("main").waitFor();
    await page.waitForTimeout(150);
    for (const step of scene.steps) await step(page);
    await page.waitForTimeout(350);
    await page.screenshot({ path: `${out}/${where}.png` });
    // The policy forbids added scripts; the debugger is not bound by it.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    for (const { id, help, nodes } of violations) {
      fault(
        where,
        `${id}: ${help}\n    ${nodes.map((node) => node.html.slice(0, 160)).join("\n    ")}`,
      );
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) fault(where, `the page is ${overflow} pixels wider than the window`);
  } catch (error) {
    fault(where, error.message);
  }
  await context.close();
}

const waiting = wanted.flatMap((scene) =>
  ["light", "dark"].flatMap((theme) => sizes.map((size) => ({ scene, theme, size }))),
);
await Promise.all(
  Array.from({ length: HANDS }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await look(next);
  }),
);

await browser.close();
close();
console.log(`${wanted.length} views looked at, ${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
