// The command line as users run it: bundled. It starts in a quarter of the time that the TypeScript sources take.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "../..");

/** What the bundle reads beside itself, as in an installed package. */
const BESIDE = ["data", "docs", "node_modules", "package.json", "scenarios"];

/** Bundles that no run has used since then are deleted: none still starts them, a run of all tests in another folder included. */
const UNUSED_MS = 6 * 3_600_000;

const PREFIX = "vppsim-built-";

let built: string | null = null;

/** Bundles the sources, if no test has done so since they changed. @returns the file that Node starts */
export function builtCommand(): string {
  built ??= join(buildOnce(), "dist/cli/main.js");
  return built;
}

function buildOnce(): string {
  const prefix = `${PREFIX}${hashOf([PROJECT])}-`;
  const target = join(tmpdir(), prefix + hashOf(sourceVersions()));
  if (existsSync(target)) utimesSync(target, new Date(), new Date());
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) removeIfUnused(join(tmpdir(), name));
  if (existsSync(target)) return target;
  const folder = mkdtempSync(`${target}.`);
  try {
    for (const name of BESIDE) symlinkSync(join(PROJECT, name), join(folder, name));
    for (const script of ["bundle.mjs", "carryAlong.mjs"])
      execFileSync(process.execPath, [join(PROJECT, "build", script), join(folder, "dist")], { cwd: PROJECT });
    for (const page of ["dashboard", "playground"])
      symlinkSync(join(PROJECT, "dist", page), join(folder, "dist", page));
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

/** Also bundles of a copy of the project that was deleted. */
function removeIfUnused(folder: string): void {
  try {
    if (Date.now() - statSync(folder).mtimeMs > UNUSED_MS || !existsSync(readlinkSync(join(folder, "package.json"))))
      rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another worker has removed it, or is about to fill it.
  }
}

const hashOf = (words: readonly string[]): string =>
  createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
