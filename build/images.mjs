/** Draws docs/images: the first screens of the report of the mixed week, of a study and of a comparison (build/chromium.mjs). */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawPages } from "./chromium.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vppsim-images-"));

/** In the folder, so that the pages name no path of this machine. */
const vppsim = (...args) =>
  execFileSync(process.execPath, ["--import", import.meta.resolve("tsx"), join(project, "src/cli/main.ts"), ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });

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
} finally {
  rmSync(folder, { recursive: true });
}
