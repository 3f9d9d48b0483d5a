import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { builtCommand } from "../cli/builtCommand.ts";
import { PROJECT } from "../cli/runVppsim.ts";
import { startServer } from "../cli/serveProcess.ts";
import {
  fencedBlocks,
  folderLikeClone,
  freePort,
  missingLines,
  needingBash,
  needingCurl,
  readDocument,
  runLines,
  runScript,
  tourAt,
  tourLines,
} from "./documents.ts";

test("README.md leads to every document of docs/, as README.ja.md does", () => {
  const names = readdirSync(join(PROJECT, "docs")).filter((name) => name.endsWith(".md"));
  expect(names.length).toBeGreaterThan(10);
  for (const readme of ["README.md", "README.ja.md"].map(readDocument))
    expect(names.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});

needingBash.test("README.md: its commands install, build and run, and print what it says", () => {
  const readme = readDocument("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(81);
  const [start, run, printed] = fencedBlocks(readme);
  const [install, playground] = start.text.trim().split("\n");
  const scripts: Record<string, string> = JSON.parse(readDocument("package.json")).scripts;
  expect(install).toBe("npm ci && npm run build");
  expect(playground).toBe("npx vppsim playground --open");
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["build", "test", "test:deep"]));
  const { status, stdout } = runLines(run.text, folderLikeClone());
  expect(status).toBe(0);
  expect(missingLines(stdout, printed.text)).toEqual([]);
});

/** A module in a project that installed the package as it is built. */
function runModule(text: string): string {
  const folder = folderLikeClone();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve(dirname(builtCommand()), "../.."), join(folder, "node_modules/vppsim"));
  writeFileSync(join(folder, "example.mjs"), text);
  const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

test("docs/library.md: its code runs, and prints what it says", async () => {
  const [run, printed, call] = fencedBlocks(readDocument("docs/library.md"));
  expect(runModule(run.text)).toBe(printed.text);
  const server = await startServer(folderLikeClone(), "scenarios/quickstart", "--paused", "--no-journal");
  const { base_url, auth_url } = server.at;
  const called = call.text.replace("http://localhost:8080", base_url).replace("http://localhost:8081", auth_url);
  expect(runModule(called)).toMatch(/^-?\d+(\.\d+)? 6\n$/);
  await server.stop();
});

needingCurl.test("docs/api-tour.md: its lines answer what it says", async () => {
  const { answers } = tourLines();
  const { status, stdout } = runScript(tourAt(await freePort(), await freePort()));
  expect(status).toBe(0);
  expect(answers).toHaveLength(3);
  expect(stdout.split("\n").filter((line) => /^,?-/.test(line))).toEqual(answers);
  expect(stdout).toContain('"message":"Power control accepted."');
  expect(stdout).toContain('"kind":"outage","site":"battery-large"');
});

test("docs/api-tour.md: its lines have nothing that an interactive zsh refuses", () => {
  const { lines } = tourLines();
  const unquoted = lines.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, "").replaceAll(/\[ -[fs] \S+ \]/g, "");
  // No comments, no patterns outside quotes, no job numbers.
  expect(unquoted).not.toMatch(/(^|\s)#/m);
  expect(unquoted).not.toMatch(/[?*[\]]|%\d/);
});
