// What `--out` may not destroy, beyond the folders of `reportFolder.test.ts`.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gradeOutput } from "../../src/cli/drillCommand.ts";
import { writeImport } from "../../src/cli/writeImport.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import { ReportFolder } from "../../src/platform/node/reportFolder.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { writeFolder } from "../../src/report/writeFolder.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const write = (target: string, content: string) => writeFolder(target, new Map([["summary.json", content]]), []);
const contentOf = (target: string) => readFileSync(join(target, "summary.json"), "utf8");

describe("an import", () => {
  const importInto = (folder: string, name: string, inputs: readonly string[] = [], isReplaced = false) =>
    writeImport({ folder, name, inputs, isReplaced }, "imported\n");

  test("writes whole files, and the same bytes again", () => {
    const folder = join(createTemporaryFolder("import"), "new");
    expect(importInto(folder, "load")).toBe(join(folder, "load.csv"));
    importInto(folder, "load");
    expect(readdirSync(folder)).toEqual(["load.csv"]);
  });

  test("replaces a file with other content only with --replace", () => {
    const folder = createTemporaryFolder("import");
    const file = join(folder, "load.csv");
    writeFileSync(file, "mine\n");
    expect(() => importInto(folder, "load")).toThrow("found a file with other content");
    expect(readFileSync(file, "utf8")).toBe("mine\n");
    importInto(folder, "load", [], true);
    expect(readFileSync(file, "utf8")).toBe("imported\n");
  });

  test.each<[string, (file: string, input: string) => void]>([
    ["its input", (file, input) => renameSync(input, file)],
    ["a hard link to its input", (file, input) => linkSync(input, file)],
    ["a link", (file, input) => symlinkSync(input, file)],
    ["a link that leads nowhere", (file) => symlinkSync("nowhere", file)],
    ["a folder", (file) => mkdirSync(file)],
    ["a named pipe", (file) => execFileSync("mkfifo", [file])],
  ])("never replaces %s", (_, prepare) => {
    const folder = createTemporaryFolder("import");
    const input = join(folder, "input.csv");
    writeFileSync(input, "mine\n");
    const file = join(folder, "load.csv");
    prepare(file, input);
    const inputs = [existsSync(input) ? input : file];
    expect(() => importInto(folder, "load", inputs, true)).toThrow("load.csv: found");
    expect(readFileSync(inputs[0], "utf8")).toBe("mine\n");
  });

  test.each(["../escape", "a/b", "..", ".hidden", "a\\b", "a\0b", "n".repeat(200)])("refuses the name %j", (name) => {
    const folder = createTemporaryFolder("import");
    expect(() => importInto(folder, name)).toThrow("--name: found");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a folder with an input is never a target", () => {
  test("the patch of a run", async () => {
    const target = join(createTemporaryFolder("patch"), "study");
    const patch = join(target, "best.patch.yaml");
    writeFolder(target, new Map([["best.patch.yaml", "{}\n"]]), []);
    const scenario = loadScenario("scenarios/quickstart/scenario.yaml");
    await expect(runScenario(scenario, { out: target, inputs: [patch] })).rejects.toThrow("the input best.patch.yaml");
    expect(readFileSync(patch, "utf8")).toBe("{}\n");
  });

  test("the export, the drill and the history of a grade", () => {
    const parent = createTemporaryFolder("grade");
    const drill = readDrill(drillFileOf("first-steps"));
    for (const name of ["grade.json", "history.jsonl"]) {
      const out = join(parent, name);
      writeFolder(out, new Map([[name, ""]]), []);
      const flags = { out, history: join(out, "history.jsonl") };
      expect(() => gradeOutput(drill, flags, [join(out, "grade.json")])).toThrow("a folder that contains the input");
    }
    mkdirSync(join(parent, "mine"));
    writeFileSync(join(parent, "mine/debriefing.html"), "mine");
    expect(() => gradeOutput(drill, { out: join(parent, "mine") })).toThrow("(debriefing.html)");
  });
});

describe("what cannot be replaced is refused before the run", () => {
  test("a link that leads nowhere", () => {
    const target = join(createTemporaryFolder("link"), "out");
    symlinkSync("nowhere", target);
    expect(() => new ReportFolder(target, { inputs: [] })).toThrow("found a link that leads nowhere");
  });

  test("a path below a file", () => {
    const file = join(createTemporaryFolder("below"), "file");
    writeFileSync(file, "mine");
    const target = join(file, "out");
    expect(() => new ReportFolder(target, { inputs: [] })).toThrow("a path where no folder can be created (ENOTDIR)");
  });

  test("a mounted folder", () => {
    expect(() => new ReportFolder("/proc", { inputs: [] })).toThrow("/proc: found a");
    expect(() => new ReportFolder("/", { inputs: [] })).toThrow("/: found a");
  });
});

describe("folders beside the target", () => {
  test("the old report comes back when the new one cannot take its place", () => {
    const target = join(createTemporaryFolder("gone"), "out");
    write(target, "old");
    const folder = new ReportFolder(target, { inputs: [] });
    folder.discard();
    expect(() => folder.publish()).toThrow("ENOENT");
    expect(contentOf(target)).toBe("old");
    expect(readdirSync(join(target, ".."))).toEqual(["out"]);
  });
});

test("a report has the permissions of a new folder", () => {
  const parent = createTemporaryFolder("mode");
  write(join(parent, "out"), "new");
  mkdirSync(join(parent, "other"));
  expect(statSync(join(parent, "out")).mode).toBe(statSync(join(parent, "other")).mode);
});
