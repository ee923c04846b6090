/**
 * Takes a picture of every view in both themes and two sizes, and asks axe about each.
 * `node looks/take.mjs [name part] [--out folder]`; CHROMIUM names the browser.
 */
import { mkdir } from "node:fs/promises";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { scenes } from "./scenes.mjs";
import { serve } from "./server.mjs";

const args = process.argv.slice(2);
const out = args.includes("--out")
  ? args.splice(args.indexOf("--out"), 2)[1]
  : new URL("pictures", import.meta.url).pathname;
const wanted = scenes.filter((scene) => scene.name.includes(args[0] ?? ""));

const sizes = [
  { width: 1280, height: 860 },
  { width: 900, height: 600 },
  // The smallest window at 200 % zoom.
  { width: 450, height: 300 },
];
const flags =
  "--no-sandbox --disable-gpu --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { address, close } = await serve();
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

async function look(scene, theme, size) {
  const where = `${scene.name}-${theme}-${size.width}`;
  const context = await browser.newContext({ viewport: size, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
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

for (const scene of wanted) {
  for (const theme of ["light", "dark"]) {
    for (const size of sizes) await look(scene, theme, size);
  }
}

await browser.close();
close();
console.log(`${wanted.length} views looked at, ${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
