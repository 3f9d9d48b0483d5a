// Builds what the deep tests open in browsers, so that they see the sources beside them.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");

/** What is built, from which folders, and the script that does it. */
const BUILDS = [
  {
    built: "dist/dashboard/index.html",
    sources: ["src/dashboard", "src/texts", "src/api/client"],
    script: ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"],
  },
  { built: "dist/browser/index.js", sources: ["src", "build", "data/markets"], script: ["build/browser.mjs"] },
  {
    built: "dist/playground/index.html",
    sources: ["src", "build", "data", "scenarios", "docs/schema"],
    script: ["build/playground.mjs"],
  },
];

/** When a file of a folder was changed last, in epoch ms. */
const lastChangeMs = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Vitest calls it once, before any worker starts: two builds at a time would disturb each other. */
export function setup(): void {
  // Vitest's own NODE_ENV would build React's development version.
  const env = { ...process.env, NODE_ENV: "production" };
  for (const { built, sources, script } of BUILDS) {
    const target = join(PROJECT, built);
    const changedMs = Math.max(...sources.map((folder) => lastChangeMs(join(PROJECT, folder))));
    if (existsSync(target) && changedMs < statSync(target).mtimeMs) continue;
    execFileSync(process.execPath, script, { cwd: PROJECT, stdio: "inherit", env });
  }
}
