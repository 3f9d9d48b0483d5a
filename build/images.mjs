/**
 * Draws docs/images: the first screens of the report of the mixed week, of a study and of a comparison, and the playground. Needs
 * Chromium (build/chromium.mjs), and the playground as it is built.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawPages, launchChromium } from "./chromium.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vppsim-images-"));

const command = ["--import", import.meta.resolve("tsx"), join(project, "src/cli/main.ts")];

/** In the folder, so that the pages name no path of this machine. */
const vppsim = (...args) =>
  execFileSync(process.execPath, [...command, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

function writeReports() {
  for (const part of ["scenarios", "data"]) cpSync(join(project, part), join(folder, part), { recursive: true });
  vppsim("run", "scenarios/mixed-week/scenario.yaml", "--out", "mixed-week", "--quiet");
  vppsim("study", "scenarios/studies/batteries-and-plants.study.yaml", "--out", "study", "--quiet");
  vppsim("init", "my-fleet");
  vppsim("run", "my-fleet/scenario.yaml", "--quiet");
  writeFileSync(join(folder, "bigger.yaml"), "sites.battery.components.bat.rated_cap: 3000\n");
  vppsim("run", "my-fleet/scenario.yaml", "--patch", "bigger.yaml", "--out", "reports/bigger", "--quiet");
  vppsim("compare", "reports/my-vpp", "reports/bigger", "--out", "compared");
}

/** The quickstart with one variant pinned and another one on the sliders. */
async function drawPlayground(picture) {
  const server = spawn(process.execPath, [...command, "playground", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  const values = page.locator(".slider input[type=number]");
  const shownKwh = () => page.getByTestId("live-shortfall").getAttribute("data-kwh");
  await page.goto(`${JSON.parse(line).playground_url}#example=quickstart`);
  await page.getByRole("button", { name: "What if" }).click();
  for (const value of ["600", "700"]) {
    const before = await shownKwh();
    await values.first().fill(value);
    while ((await shownKwh()) === before) await page.waitForTimeout(50);
    if (value === "600") await page.getByTestId("pin").click();
  }
  await page.screenshot({ path: picture });
  await browser.close();
  server.kill();
}

try {
  writeReports();
  const pages = [
    ["report.png", "mixed-week/report.html"],
    ["study.png", "study/report.html"],
    ["comparison.png", "compared/comparison.html"],
  ];
  await drawPages(
    pages.map(([picture, page]) => [join(project, "docs/images", picture), join(folder, page)]),
    { width: 1280, height: 860 },
  );
  await drawPlayground(join(project, "docs/images/playground.png"));
} finally {
  rmSync(folder, { recursive: true });
}
