// The command line as users run it: bundled. It starts in a quarter of the time that the TypeScript sources take.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");

/** What the bundle reads beside itself, as in an installed package. */
const BESIDE = ["data", "docs", "node_modules", "package.json", "scenarios"];

/** Bundles that are older are deleted: no other test run still starts them. */
const OLD_MS = 3_600_000;

let built: string | null = null;

/** Bundles the sources, if no test has done so since they changed. @returns the file that Node starts */
export function builtCommand(): string {
  built ??= join(buildOnce(), "dist/cli/main.js");
  return built;
}

function buildOnce(): string {
  const prefix = `vppsim-built-${hashOf([PROJECT])}-`;
  const target = join(tmpdir(), prefix + hashOf(sourceVersions()));
  if (existsSync(target)) return target;
  for (const name of readdirSync(tmpdir())) if (name.startsWith(prefix)) removeIfOld(join(tmpdir(), name));
  const folder = mkdtempSync(`${target}.`);
  try {
    for (const name of BESIDE) symlinkSync(join(PROJECT, name), join(folder, name));
    for (const script of ["bundle.mjs", "carryAlong.mjs"])
      execFileSync(process.execPath, [join(PROJECT, "build", script), join(folder, "dist")], { cwd: PROJECT });
    symlinkSync(join(PROJECT, "dist/dashboard"), join(folder, "dist/dashboard"));
    renameSync(folder, target);
  } catch (error) {
    rmSync(folder, { recursive: true });
    // Another worker may have built the same meanwhile.
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Path, size and time of change of each file that the bundle is made of. */
function sourceVersions(): string[] {
  const files = ["src", "build"].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(PROJECT, folder, name),
    ),
  );
  return [...files, join(PROJECT, "package-lock.json")].sort().map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
}

function removeIfOld(folder: string): void {
  if (Date.now() - statSync(folder).mtimeMs > OLD_MS) rmSync(folder, { recursive: true, force: true });
}

const hashOf = (words: readonly string[]): string =>
  createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
