/**
 * Draws docs/images/report.png: the first screen of the report of the mixed week. Needs Chromium, by default
 * /usr/bin/chromium, otherwise the path in the environment variable CHROMIUM.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const project = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vppsim-images-"));
const report = join(folder, "report");
const scenario = join(project, "scenarios/mixed-week/scenario.yaml");
execFileSync("npx", ["tsx", "src/cli/main.ts", "run", scenario, "--out", report], { cwd: project, stdio: "ignore" });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
await page.goto(pathToFileURL(join(report, "report.html")).href);
await page.screenshot({ path: join(project, "docs/images/report.png") });
await browser.close();
rmSync(folder, { recursive: true });
