// Builds the browser page before the deep tests, so that they see the page of the sources beside them.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");
const SOURCES = ["src/dashboard", "src/texts", "src/api/client"];
const BUILT = join(PROJECT, "dist/dashboard/index.html");

/** When a file of a folder was changed last, in epoch ms. */
const lastChangeMs = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Vitest calls it once, before any worker starts: two builds at a time would disturb each other. */
export function setup(): void {
  const changedMs = Math.max(...SOURCES.map((folder) => lastChangeMs(join(PROJECT, folder))));
  if (existsSync(BUILT) && changedMs < statSync(BUILT).mtimeMs) return;
  const vite = join(PROJECT, "node_modules/vite/bin/vite.js");
  // Vitest's own NODE_ENV would build React's development version.
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: PROJECT, stdio: "inherit", env });
}
