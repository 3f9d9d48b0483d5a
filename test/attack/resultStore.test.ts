import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { FileInUseError } from "../../src/platform/node/fileLock.ts";
import { machineTag } from "../../src/platform/node/runningProcess.ts";
import { ResultStore } from "../../src/study/node/resultStore.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { StudyFolder } from "../../src/study/node/studyFolder.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { BYTE_STEP } from "../depth.ts";
import { openEvaluator, openStudy, renumbered, STUDY_HEAD } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const DIGESTS = { scenario: "a", scenario_file: "b", study: "c", version: "1" };

let folder: string;
let file: string;
beforeEach(() => {
  folder = createTemporaryFolder("results");
  file = join(folder, "results.jsonl");
});

/** Two results and a refusal. */
function writeResults(): Buffer {
  const store = ResultStore.create(file, DIGESTS);
  store.append([
    [{ "weights.v.é": 1 }, 5, { kpis: [1.5, null, 1588], refusal: null }],
    [{ "weights.v.é": 2 }, 5, { kpis: null, refusal: "two.yaml:1:1: found 2" }],
  ]);
  store.append([[{}, 6, { kpis: [0, 0, 0], refusal: null }]]);
  store.close();
  return readFileSync(file);
}

function resume(): ReadonlyMap<string, unknown> {
  const store = ResultStore.resume(file, DIGESTS);
  store.close();
  return store.knownOutcomes;
}

function refusal(): string {
  try {
    resume();
  } catch (error) {
    if (error instanceof InputErrors) return error.message.replace(file, "results.jsonl");
    throw error;
  }
  return "accepted";
}

describe("results.jsonl", () => {
  test("consists of JSON objects with a checksum and a number, and is read as it was written", () => {
    const lines = writeResults().toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).record)).toEqual([0, 1, 2, 3]);
    expect(lines[0]).toMatch(/^\{"crc32":"[0-9a-f]{8}","record":0,"format":3,"scenario":"a",/);
    expect([...resume()]).toEqual([
      ['{"weights.v.é":1} 5', { kpis: [1.5, null, 1588], refusal: null }],
      ['{"weights.v.é":2} 5', { kpis: null, refusal: "two.yaml:1:1: found 2" }],
      ["{} 6", { kpis: [0, 0, 0], refusal: null }],
    ]);
  });

  test("with a changed digit is refused with its line and the remedy", () => {
    writeFileSync(file, writeResults().toString().replace("1588", "1589"));
    expect(refusal()).toBe(
      "results.jsonl:2:1: found a damaged line (its checksum does not match), allowed results that were not changed: " +
        "keep the lines before it (head -n 1), or leave out --resume to start again",
    );
  });

  test("with a changed bit in any byte of a complete line is refused, and continues with the lines before it", () => {
    const bytes = writeResults();
    const ends = [...bytes].flatMap((byte, k) => (byte === 10 ? [k] : []));
    // Without its line end the last line is incomplete, as after a crash.
    for (let at = 0; at < bytes.length - 1; at += BYTE_STEP) {
      const damaged = Buffer.from(bytes);
      damaged[at] ^= 1 << (at % 8);
      writeFileSync(file, damaged);
      const line = ends.filter((end) => end < at).length + 1;
      const message = refusal();
      expect(message).toContain(`results.jsonl:${line}:1: found `);
      expect(message).toContain("leave out --resume to start again");
    }
  });

  test.each<[string, (lines: string[]) => string[], string]>([
    ["a line missing", ([head, , ...rest]) => [head, ...rest], ":2:1: found a damaged line (it is record 2)"],
    ["a line twice", ([head, a, ...rest]) => [head, a, a, ...rest], ":3:1: found a damaged line (it is record 1)"],
    ["two lines exchanged", ([head, a, b, c]) => [head, b, a, c], ":2:1: found a damaged line (it is record 2)"],
    ["an empty line", ([head, ...rest]) => [head, "", ...rest], ":2:1: found a damaged line"],
    ["a line of another program", ([head]) => [head, '{"patch":{},"seed":1,"kpis":[1]}'], ":2:1: found a damaged line"],
    [
      "format 1",
      () => ['{"format":1,"scenario":"a","scenario_file":"b","study":"c","version":"1"}', '{"patch":{},"seed":5}'],
      ":1:1: found results of format 1, which has no checksums, allowed results of format 3; leave out --resume",
    ],
  ])("with %s is refused", (_, change, message) => {
    writeFileSync(file, `${change(writeResults().toString().trimEnd().split("\n")).join("\n")}\n`);
    expect(refusal()).toContain(message);
  });

  test.each<[string, Partial<typeof DIGESTS>]>([
    ["another scenario", { scenario: "b" }],
    ["another study", { study: "d" }],
    ["another version", { version: "2" }],
  ])("with a line of %s is refused, although its checksum and number are right there", (_, other) => {
    const own = writeResults().toString().split("\n");
    const store = ResultStore.create(file, { ...DIGESTS, ...other });
    store.append([[{ "weights.v.é": 1 }, 5, { kpis: [9, 9, 9], refusal: null }]]);
    store.close();
    own[1] = readFileSync(file, "utf8").split("\n")[1];
    writeFileSync(file, own.join("\n"));
    expect(refusal()).toContain("results.jsonl:2:1: found a damaged line (its checksum does not match)");
  });

  test("with a key figure that is no number is refused", () => {
    const lines = writeResults().toString().trimEnd().split("\n");
    writeFileSync(file, renumbered(lines.map((line) => line.replace("1588", '"1588"'))));
    expect(refusal()).toContain("results.jsonl:2:1: found a damaged line (it is not the result of a run)");
  });

  test("cut at any byte contains the lines that were complete, and continues after them", () => {
    const bytes = writeResults();
    const all = [...resume()];
    for (let length = 0; length <= bytes.length; length += BYTE_STEP) {
      writeFileSync(file, bytes.subarray(0, length));
      const complete = bytes.subarray(0, length).toString().split("\n").length - 1;
      expect([...resume()]).toEqual(all.slice(0, Math.max(0, complete - 1)));
      const store = ResultStore.resume(file, DIGESTS);
      store.append([[{ added: 1 }, 9, { kpis: [7], refusal: null }]]);
      store.close();
      expect(resume().size).toBe(Math.max(0, complete - 1) + 1);
    }
  });
});

const STUDY = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", values: [0, 50]}
objective: {minimise: shortfall_kwh}
`;

describe("one target", () => {
  test("of a running study is refused to a second study, and the message names the process", async () => {
    const target = join(folder, "new", "report");
    const study = openStudy(STUDY);
    const second: unknown[] = [];
    const options = { out: target, executor: inlineExecutor(await openEvaluator(study)) };
    await runStudy(study, {
      ...options,
      onProgress: () => {
        for (const resumes of [false, true])
          try {
            new StudyFolder(target, { resume: resumes, inputs: [] });
          } catch (error) {
            second.push(error);
          }
      },
    });
    expect(second.length).toBeGreaterThan(0);
    for (const error of second) {
      expect(error).toBeInstanceOf(FileInUseError);
      const [before, after] = (error as Error).message.split(/, since [-0-9T:.]+Z/);
      expect(before).toBe(`--out: the process ${process.pid}`);
      expect(after).toBe(
        `, runs a study that writes to ${target}; wait for its end, or name another folder with --out`,
      );
    }
    // The lock is released, also after a failed study.
    expect(existsSync(`${target}.unfinished.lock`)).toBe(false);
    expect((await runStudy(study, options)).files).toContain("study.csv");
    const failing = { ...options.executor, run: () => Promise.reject(new Error("no run")) };
    await expect(runStudy(study, { ...options, executor: failing })).rejects.toThrow("no run");
    expect((await runStudy(study, { ...options, resume: true })).files).toContain("study.csv");
  });

  test("of a killed study is free", () => {
    const target = join(folder, "report");
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const holder = { pid, started: "1", machine: machineTag(), host: "h", since: "2026-01-01T00:00:00Z", kernel: true };
    writeFileSync(`${target}.unfinished.lock`, JSON.stringify(holder));
    new StudyFolder(target, { resume: false, inputs: [] }).close();
    expect(existsSync(`${target}.unfinished.lock`)).toBe(false);
  });

  test("beside a foreign file with the name of the lock is refused, and the file stays", () => {
    const target = join(folder, "report");
    const lock = `${target}.unfinished.lock`;
    writeFileSync(lock, "npm-debug");
    const start = () => new StudyFolder(target, { resume: false, inputs: [] });
    expect(start).toThrow(InputErrors);
    expect(start).toThrow(
      `${lock}: found a file that is no lock of vppsim; it is not changed, allowed no file of this name`,
    );
    expect(readFileSync(lock, "utf8")).toBe("npm-debug");
    expect(existsSync(`${target}.unfinished`)).toBe(false);
  });

  test.each([
    ["no byte of the results", ""],
    ["an incomplete first line", '{"crc32":"0123'],
    ["results of format 1", '{"format":1,"scenario":"a","study":"c"}\n'],
  ])("whose staging folder contains %s begins anew", (_, content) => {
    const target = join(folder, "report");
    const results = join(`${target}.unfinished`, "results.jsonl");
    mkdirSync(`${target}.unfinished`);
    writeFileSync(results, content);
    new StudyFolder(target, { resume: false, inputs: [] }).close();
    expect(existsSync(results)).toBe(false);
    expect(existsSync(`${target}.unfinished.lock`)).toBe(false);
  });
});
