import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { drillFileOf } from "../../src/drill/listDrills.ts";
import { readDrill } from "../../src/drill/readDrill.ts";
import { diskFiles } from "../../src/scenario/parse/scenarioFiles.ts";

const FILE = "scenarios/drills/outage-in-an-award.yaml";
const WRITTEN = readFileSync(FILE, "utf8");

/** Errors of the shipped drill after an edit, without the file's name. */
function errorsOf(from: string, to: string): string[] {
  expect(WRITTEN).toContain(from);
  const text = Buffer.from(WRITTEN.replace(from, to));
  const files = { read: (path: string) => (resolve(path) === resolve(FILE) ? text : diskFiles.read(path)) };
  try {
    readDrill(FILE, files);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").map((line) => line.replace(`${FILE}:`, ""));
  }
}

test.each([
  [
    "site: battery-large, when",
    "site: batery, when",
    /^21:26: injects\.0\.site: found "batery", allowed a site of the scenario: battery-large/,
  ],
  [
    "award_in_force: evening-peak",
    "award_in_force: evening",
    /^21:64: injects\.0\.when\.award_in_force: found "evening", allowed an award of the scenario/,
  ],
  [
    "start: 2026-05-20T17:20",
    "start: 2026-05-21T17:20",
    /^17:8: start: found 2026-05-21T08:20:00Z, allowed an instant from/,
  ],
  ["min_points: 50", "min_pionts: 50", /min_pionts: found an unknown key, allowed one of .*did you mean min_points/],
  [
    "{measure: refused_requests, at_most: 2}",
    "{measure: refused_requests, min_points: 2}",
    /min_points: found 2, allowed at_most: refused_requests gives no points/,
  ],
  [
    "when: {award_in_force: evening-peak, for: PT30M}",
    "duration: PT5M",
    /injects\.0: found neither at nor when, allowed one of them/,
  ],
  [
    "when: {award_in_force: evening-peak, for: PT30M}",
    "when: {soc_pct: {site: battery-large}}",
    /soc_pct: found neither above nor below/,
  ],
  ["../quickstart/scenario.yaml", "../quickstart/none.yaml", /none\.yaml/],
])("%s → %s", (from, to, message) => {
  const errors = errorsOf(from, to);
  expect(errors.join("\n")).toMatch(message);
});

test("a name without a drill is answered with the names there are", () => {
  expect(() => drillFileOf("strom")).toThrow(/no such drill.*battery-runs-empty.*storm/);
});

test("the shipped drills have no errors", () => expect(errorsOf("version: 1", "version: 1")).toEqual([]));
