import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { processTag, ReportFolder } from "../../src/platform/node/reportFolder.ts";
import { readReportSummary } from "../../src/report/compare/readReport.ts";
import { readAwardFacts } from "../../src/report/explain/readAwardFacts.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { settleReport } from "../../src/report/settle/settleReport.ts";
import { writeFolder } from "../../src/report/writeFolder.ts";
import { StudyFolder } from "../../src/study/node/studyFolder.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const write = (target: string, content: string) => writeFolder(target, new Map([["summary.json", content]]), []);
const contentOf = (target: string) => readFileSync(join(target, "summary.json"), "utf8");

describe("a target is replaced only if its run.json lists every file in it", () => {
  test.each<[string, (target: string) => void, string]>([
    ["a folder of tables", (target) => writeFile(join(target, "load.csv"), "1"), "load.csv"],
    [
      "a folder with a run.json of its own",
      (target) => writeFile(join(target, "run.json"), '{"files":{}}'),
      "run.json",
    ],
    [
      "a report with another file",
      (target) => {
        write(target, "old");
        writeFile(join(target, "notes.csv"), "mine");
      },
      "notes.csv",
    ],
  ])("%s is refused with the names of the foreign files", (_, prepare, name) => {
    const target = join(createTemporaryFolder("folder"), "out");
    prepare(target);
    const before = readdirSync(target);
    expect(() => write(target, "new")).toThrow(`found a folder with files that no run.json of vppsim lists (${name})`);
    expect(readdirSync(target)).toEqual(before);
    expect(readdirSync(dirname(target))).toEqual(["out"]);
  });

  test("an older report, an empty folder and a missing one are replaced", () => {
    const parent = createTemporaryFolder("folder");
    mkdirSync(join(parent, "empty"));
    write(join(parent, "old"), "old");
    for (const name of ["empty", "old", "a/b/missing"]) {
      write(join(parent, name), "new");
      expect(contentOf(join(parent, name))).toBe("new");
    }
    expect(readdirSync(parent).sort()).toEqual(["a", "empty", "old"]);
  });

  test("a link to a report keeps pointing to the replaced report", () => {
    const parent = createTemporaryFolder("folder");
    write(join(parent, "real"), "old");
    symlinkSync(join(parent, "real"), join(parent, "link"));
    write(join(parent, "link"), "new");
    expect(contentOf(join(parent, "real"))).toBe("new");
  });

  test("files that appear during a run are not replaced", () => {
    const target = join(createTemporaryFolder("folder"), "out");
    write(target, "old");
    const folder = new ReportFolder(target, { inputs: [] });
    writeFile(join(target, "mine.txt"), "mine");
    expect(() => folder.publish()).toThrow("mine.txt");
    expect(readdirSync(target).sort()).toEqual(["mine.txt", "run.json", "summary.json"]);
  });
});

describe("a folder with an input is never a target", () => {
  function copyQuickstart(folder: string): string {
    const from = "scenarios/quickstart";
    for (const name of readdirSync(from)) writeFile(join(folder, name), readFileSync(join(from, name), "utf8"));
    return join(folder, "scenario.yaml");
  }

  test("the scenario's own folder and the folder of its series", async () => {
    const parent = createTemporaryFolder("folder");
    const file = copyQuickstart(join(parent, "p"));
    mkdirSync(join(parent, "p/data"));
    for (const name of ["load.csv", "pv.csv", "prices.csv"])
      renameSync(join(parent, "p", name), join(parent, "p/data", name));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(load|pv|prices)\.csv/g, "data/$1.csv"));
    const scenario = loadScenario(file);
    for (const [out, input] of [
      ["p/data", /contains the input (load|pv|prices)\.csv/],
      ["p", /contains the input scenario\.yaml/],
      [".", /contains the input p\/scenario\.yaml/],
    ] as const)
      await expect(runScenario(scenario, { out: join(parent, out) })).rejects.toThrow(input);
    expect(readdirSync(join(parent, "p/data")).sort()).toEqual(["load.csv", "prices.csv", "pv.csv"]);
    expect(readdirSync(parent)).toEqual(["p"]);
  });

  test("a link to an input's folder does not hide it", () => {
    const parent = createTemporaryFolder("folder");
    writeFile(join(parent, "in/load.csv"), "1");
    symlinkSync(join(parent, "in"), join(parent, "link"));
    expect(() => writeFolder(join(parent, "link"), new Map(), [join(parent, "in/load.csv")])).toThrow(
      "the input load.csv",
    );
  });
});

describe("folders beside the target", () => {
  test("a foreign folder with the name of a staging folder is not touched", () => {
    const parent = createTemporaryFolder("folder");
    const names = [".out.partial", ".out.partial.old", ".out.partial-x", ".out.replaced-1"];
    for (const name of names) writeFile(join(parent, name, "mine.csv"), "mine");
    write(join(parent, "out"), "old");
    write(join(parent, "out"), "new");
    expect(readdirSync(parent).sort()).toEqual([...names, "out"].sort());
    for (const name of names) expect(readFileSync(join(parent, name, "mine.csv"), "utf8")).toBe("mine");
  });

  test("a folder <out>.unfinished with another file is refused", () => {
    const target = join(createTemporaryFolder("folder"), "out");
    writeFile(join(`${target}.unfinished`, "mine.txt"), "mine");
    for (const resume of [false, true]) {
      expect(() => new StudyFolder(target, { resume, inputs: [] })).toThrow("allowed a new or empty folder");
      expect(readFileSync(join(`${target}.unfinished`, "mine.txt"), "utf8")).toBe("mine");
    }
  });
});

/** The tag of a process that has ended. */
async function endedProcessTag(): Promise<string> {
  const child = spawn("true");
  await new Promise((resolve) => child.on("exit", resolve));
  return processTag().replace(/-\d+-\d*$/, `-${child.pid}-1`);
}

describe("an interrupted replacement", () => {
  test("is undone at the next start: the old report comes back", async () => {
    const parent = createTemporaryFolder("folder");
    const target = join(parent, "out");
    write(target, "old");
    const tag = await endedProcessTag();
    renameSync(target, join(parent, `.out.replaced-${tag}-aaaaaa`));
    writeFile(join(parent, `.out.partial-${tag}-bbbbbb`, "summary.json"), "new");
    new ReportFolder(target, { inputs: [] }).discard();
    expect(contentOf(target)).toBe("old");
    expect(readdirSync(parent)).toEqual(["out"]);
  });

  test.each<[string, (folder: string) => unknown]>([
    ["compare", (folder) => readReportSummary(folder).seed],
    ["explain", (folder) => readAwardFacts(folder, "A-1").timezone],
    ["settle", (folder) => settleReport(folder, loadScenario("scenarios/markets/battery-year.yaml"))],
  ])("is undone by %s, which only reads", async (_, read) => {
    const parent = createTemporaryFolder("folder");
    const target = join(parent, "out");
    write(target, "old");
    renameSync(target, join(parent, `.out.replaced-${await endedProcessTag()}-aaaaaa`));
    // It is no report of a run, but it is there.
    expect(() => read(target)).toThrow(/summary\.json|settlement/);
    expect(contentOf(target)).toBe("old");
  });

  test("after the second rename leaves the new report and removes the old one", async () => {
    const parent = createTemporaryFolder("folder");
    const target = join(parent, "out");
    write(target, "old");
    renameSync(target, join(parent, `.out.replaced-${await endedProcessTag()}-aaaaaa`));
    write(target, "new");
    write(target, "newer");
    expect(contentOf(target)).toBe("newer");
    expect(readdirSync(parent)).toEqual(["out"]);
  });

  test("of a running process is not touched", () => {
    const parent = createTemporaryFolder("folder");
    const folder = join(parent, `.out.partial-${processTag()}-aaaaaa`);
    writeFile(join(folder, "summary.json"), "growing");
    write(join(parent, "out"), "new");
    expect(existsSync(join(folder, "summary.json"))).toBe(true);
  });
});
