// The commands and the code of documents, run as they are printed.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { PROJECT, shellCommand } from "../cli/runVppsim.ts";
import { needing } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

export const readDocument = (path: string): string => readFileSync(join(PROJECT, path), "utf8");

/** A block between fences: its language and what stands behind it, such as the name of a file. */
export interface FencedBlock {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

/** The blocks of a part of a document, in order. @param from the words at which the part begins */
export function fencedBlocks(document: string, from = ""): readonly FencedBlock[] {
  const part = document.slice(document.indexOf(from));
  return [...part.matchAll(/^```(\S*)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(([, language, title, text]) => ({
    language,
    title: title ?? "",
    text,
  }));
}

/** A folder for the PATH in which `vppsim` and `npx vppsim` are the command line of the sources. */
function commandFolder(): string {
  const folder = createTemporaryFolder("bin");
  for (const [name, before] of [
    ["vppsim", ""],
    ["npx", "shift; "],
  ]) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${before}exec ${shellCommand()} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** Runs lines of a document word for word. */
export function runLines(lines: string, cwd: string) {
  const env = { ...process.env, PATH: `${commandFolder()}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", lines], { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** How far columns stand apart depends on rows that are left out. */
const withoutWidths = (text: string): string => text.replaceAll(/(?<=\S) {2,}/g, "  ");

/** Parts of a printed text between the places where the document leaves lines out (`…`) that do not follow each other in the output. */
export function missingLines(stdout: string, printed: string): readonly string[] {
  const output = withoutWidths(stdout);
  let at = 0;
  return withoutWidths(printed)
    .split(/^ *…\n/m)
    .filter((part) => {
      const found = output.indexOf(part, at);
      if (found >= 0) at = found + part.length;
      return found < 0;
    });
}

/** A folder in which the scenarios that the documents name are where a clone has them. */
export function folderLikeClone(): string {
  const folder = createTemporaryFolder("clone");
  symlinkSync(join(PROJECT, "scenarios"), join(folder, "scenarios"));
  return folder;
}

/** What is pasted from the tour of the APIs, and the lines of numbers that it prints. */
export function tourLines(): { readonly lines: string; readonly answers: readonly string[] } {
  const [{ text: lines }, { text: printed }] = fencedBlocks(readDocument("docs/api-tour.md"), "## The same by curl");
  return { lines, answers: printed.trim().split("\n") };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const isThere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
export const needingBash = needing("bash", isThere("bash"));
export const needingCurl = needing("curl and bash", isThere("curl") && isThere("bash"));

export function tourAt(port: number, authPort: number): string {
  return tourLines()
    .lines.replaceAll("localhost:8080", `localhost:${port}`)
    .replaceAll("localhost:8081", `localhost:${authPort}`)
    .replace("node $DIR/dist/cli/main.js serve", `${shellCommand()} serve --port ${port} --auth-port ${authPort}`)
    .replaceAll("node_modules/vppsim", ".");
}

export const runScript = (script: string) => spawnSync("bash", ["-c", script], { cwd: PROJECT, encoding: "utf8" });
