// Processes that write one report folder at the same time, or are killed while they write it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { foreignNames, ReportFolder } from "../../src/platform/node/reportFolder.ts";
import { runs } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const WRITER = `
  const { writeFolder } = await import(process.argv[1]);
  const [, , target, id, count] = process.argv;
  for (let k = 0; k < Number(count); k++) {
    const files = Array.from({ length: 20 }, (_, n) => ["table_" + "abcdefghijklmnopqrst"[n] + ".csv", id + "\\n"]);
    writeFolder(target, new Map(files), []);
  }
`;

function startWriter(target: string, id: string, count: number): ChildProcess {
  const module = new URL("../../src/report/writeFolder.ts", import.meta.url).href;
  return spawn(process.execPath, [
    "--import=tsx",
    "--input-type=module",
    "-e",
    WRITER,
    module,
    target,
    id,
    String(count),
  ]);
}

/** The contents that the 20 tables of the writer have; one unless they are a mixture. */
function tableContents(target: string): ReadonlySet<string> {
  const names = readdirSync(target).filter((name) => name.endsWith(".csv"));
  expect(names.length).toBe(20);
  return new Set(names.map((name) => readFileSync(join(target, name), "utf8")));
}

const exitOf = (child: ChildProcess) => new Promise((resolve) => child.on("exit", resolve));

describe("several writers to one target", () => {
  test("the last one wins: no mixture, no error, no other folder remains", async () => {
    const target = join(createTemporaryFolder("writers"), "out");
    const children = ["a", "b", "c"].map((id) => startWriter(target, id, runs(400)));
    const errors: string[] = [];
    for (const { stderr } of children) stderr?.on("data", (bytes) => errors.push(String(bytes)));
    const statuses = await Promise.all(children.map(exitOf));
    expect({ statuses, errors }).toEqual({ statuses: [0, 0, 0], errors: [] });
    expect(foreignNames(target)).toEqual([]);
    expect(tableContents(target).size).toBe(1);
    expect(readdirSync(dirname(target))).toEqual(["out"]);
  });

  test("a killed writer leaves a complete report, and the next start removes the rest", async () => {
    const parent = createTemporaryFolder("writers");
    const target = join(parent, "out");
    for (let k = 0; k < runs(15); k++) {
      const child = startWriter(target, String(k), 1_000_000);
      const exited = exitOf(child);
      await expect.poll(() => existsSync(target) && [...tableContents(target)].join()).toBe(`${k}\n`);
      await new Promise((resolve) => setTimeout(resolve, (37 * k) % 50));
      child.kill("SIGKILL");
      await exited;
      new ReportFolder(target, { inputs: [] }).discard();
      expect(tableContents(target)).toEqual(new Set([`${k}\n`]));
      expect(readdirSync(parent)).toEqual(["out"]);
    }
  });
});
