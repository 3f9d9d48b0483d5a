import { describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { runs } from "../depth.ts";
import { hourlyCsv, readScenarioYaml, SMALL_SCENARIO } from "./scenarioFixtures.ts";

function errorsOf(yaml: string, files: Record<string, string> = {}): InputErrors {
  try {
    readScenarioYaml(yaml, files);
  } catch (error) {
    if (error instanceof InputErrors) return error;
    throw error;
  }
  throw new Error("the scenario was read without errors");
}

const kindsOf = ({ kinds }: InputErrors) => kinds.map(({ key, count, first }) => [key, count, first.length]);

describe("many errors", () => {
  test("96 errors of a load file are counted, and the first five of each column are shown", () => {
    const csv = hourlyCsv(48, { kw: () => "n/a" }).replaceAll("Z,", ",");
    const load = `series: {s: {file: s.csv, columns: {kw: kw}}}\n`;
    const errors = errorsOf(`${SMALL_SCENARIO}${load}`, { "s.csv": csv });
    expect(errors.count).toBe(96);
    expect(kindsOf(errors)).toEqual([
      ["/s/s.csv\ntimestamp", 48, 20],
      ["/s/s.csv\nkw", 48, 20],
    ]);
    expect(errors.message.split("\n")).toEqual([
      "/s/s.csv: timestamp: 48 errors",
      ...[2, 3, 4, 5, 6].map((line) => expect.stringMatching(new RegExp(`^ {2}/s/s.csv:${line}:1: timestamp: found`))),
      "  … and 43 more",
      "/s/s.csv: kw: 48 errors",
      ...[2, 3, 4, 5, 6].map((line) => expect.stringMatching(new RegExp(`^ {2}/s/s.csv:${line}:2: kw: found "n/a"`))),
      "  … and 43 more",
    ]);
  });

  test("up to twenty errors are listed by position, whatever their kinds", () => {
    const yaml = `${SMALL_SCENARIO}${Array.from({ length: 20 }, (_, k) => `key_${k}: 1\n`).join("")}`;
    const errors = errorsOf(yaml);
    expect(errors.message.split("\n")).toHaveLength(20);
    expect(errors.count).toBe(20);
  });

  test("errors of the entries of one list are one kind", () => {
    const vpps = Array.from({ length: 30 }, (_, k) => `  - {name: v${k}, members: [{site: b}]}\n`).join("");
    const errors = errorsOf(`${SMALL_SCENARIO}vpps:\n${vpps}`);
    expect(kindsOf(errors)[0]).toEqual(["/s/scenario.yaml\nvpps.*.members.*.resource_type", 30, 20]);
  });

  test("more kinds than a reader can use share one group", () => {
    const series = Array.from({ length: 200 }, (_, k) => `  s${k}: {file: ${k}}\n`).join("");
    const errors = errorsOf(`${SMALL_SCENARIO}series:\n${series}`);
    expect(errors.count).toBe(200);
    expect(errors.kinds).toHaveLength(101);
    expect(errors.kinds.find(({ key }) => key === "")?.count).toBe(100);
  });
});

/** With quadratic steps, the number of the deep tests takes longer than any test may. */
const MANY = runs(100_000, 5_000);

describe("time and memory grow linearly with the number of errors", () => {
  test("unknown keys, and keys in the body of a request", () => {
    const keys = (separator: string) => Array.from({ length: MANY }, (_, k) => `k${k}: 1`).join(separator);
    const errors = errorsOf(`${SMALL_SCENARIO}${keys("\n")}\n`);
    expect([errors.count, errors.errors.length]).toEqual([MANY, 20]);
    const at = "at: 2026-04-01T01:00:00Z, kind: request, api: site-v2, id: b, method: POST, path: /baseline";
    const { world } = readScenarioYaml(`${SMALL_SCENARIO}events: [{${at}, body: {${keys(", ")}}}]\n`);
    expect(world.events).toHaveLength(1);
  });

  test("aliases", () => {
    const at = "at: 2026-04-01T01:00:00Z, kind: request, api: site-v2, id: b, method: POST, path: /baseline";
    const yaml = `${SMALL_SCENARIO}events: [{${at}, body: {first: &a [1], list: [${"*a, ".repeat(MANY / 2)}]}}]\n`;
    expect(readScenarioYaml(yaml).world.events).toHaveLength(1);
  });

  test("wrong award rows and unknown columns", () => {
    const vpp = `${SMALL_SCENARIO}vpps: [{name: v}]\nawards: [{file: a.csv}]\n`;
    const rows = "v,frr,2026-04-01T02:00:00Z,2026-04-01T01:00:00Z,1\n".repeat(2 * MANY);
    const errors = errorsOf(vpp, { "a.csv": `vpp,sku,start,end,delta_kw\n${rows}` });
    expect(kindsOf(errors)).toEqual([["/s/a.csv\nend", 2 * MANY, 20]]);
    const columns = Array.from({ length: MANY }, (_, k) => `starts${k}`).join();
    expect(errorsOf(vpp, { "a.csv": `vpp,start,end,delta_kw,${columns}\n` }).count).toBeGreaterThan(0);
  });
});

test("a key twice in two mappings is found twice", () => {
  const errors = errorsOf(`${SMALL_SCENARIO}report: {interval: PT1H, interval: PT2H}\nseed: 1\nseed: 2\n`);
  expect(errors.errors.map(({ line, column, found }) => [line, column, found])).toEqual([
    [8, 26, "a second key interval"],
    [10, 1, "a second key seed"],
  ]);
});
