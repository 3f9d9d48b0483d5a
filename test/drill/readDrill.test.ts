import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { drillGradeCommand } from "../../src/cli/drillCommand.ts";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const FILE = "scenarios/drills/outage-in-an-award.yaml";
const WRITTEN = readFileSync(FILE, "utf8");

/** Errors of the shipped drill after an edit, without the file's name. */
function errorsOf(from: string, to: string): string[] {
  expect(WRITTEN).toContain(from);
  const text = Buffer.from(WRITTEN.replace(from, to));
  const files = { read: (path: string) => (resolve(path) === resolve(FILE) ? text : diskFiles.read(path)) };
  return messagesOf(() => readDrill(FILE, files)).map((line) => line.replace(`${FILE}:`, ""));
}

function messagesOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
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
    /^21:64: injects\.0\.when\.award_in_force: found "evening", allowed an award that is in force in the period: evening-peak/,
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
  [
    "../quickstart/scenario.yaml",
    "../quickstart/none.yaml",
    /^\d+:11: scenario: file not found: .*none\.yaml \(a scenario, by its path from the drill file\)/,
  ],
])("%s → %s", (from, to, message) => {
  const errors = errorsOf(from, to);
  expect(errors.join("\n")).toMatch(message);
});

/** A condition in place of that of the drill's inject. */
const whenErrors = (condition: string): string =>
  errorsOf("when: {award_in_force: evening-peak, for: PT30M}", `when: ${condition}`).join("\n");

test.each([
  [
    "{soc_pct: {site: batery-large, below: 20}}",
    /when\.soc_pct\.site: found "batery-large", allowed a site with a storage \(did you mean battery-large\?\)/,
  ],
  [
    "{soc_pct: {site: factory, below: 20}}",
    /when\.soc_pct\.site: found "factory", allowed a site with a storage: battery/,
  ],
  [
    "{soc_pct: {site: battery-large, above: 60, below: 40}}",
    /soc_pct\.below: found 40, allowed a number above that of above, 60/,
  ],
  [
    "{weight: {site: battery-lrge, above: 20}}",
    /weight\.site: found "battery-lrge", allowed a member of the VPP \(did you mean battery-large\?\)/,
  ],
  [
    "{weight: {site: battery-large, vpp: est, above: 20}}",
    /weight\.vpp: found "est", allowed a VPP of the scenario \(did you mean east\?\): east/,
  ],
  ["{uncovered_kw: {vpp: west, above: 20}}", /uncovered_kw\.vpp: found "west", allowed a VPP of the scenario.*: east/],
  ["{owner_call: fctory}", /owner_call: found "fctory", allowed a site of the scenario \(did you mean factory\?\)/],
  [
    "{command: {path: /controls}}",
    /command\.path: found "\/controls", allowed the start of the path of a command: .*\/control\/active_power/,
  ],
  [
    "{award_in_force: morning-reserve}",
    /award_in_force: found "morning-reserve", allowed an award that is in force in the period: evening-peak/,
  ],
  [
    "{time: 2026-05-20T21:00:00+09:00}",
    /when\.time: found 2026-05-20T12:00:00Z, allowed an instant of the period, from 2026-05-20T08:20:00Z/,
  ],
])("of a condition %s", (condition, message) => {
  expect(whenErrors(condition)).toMatch(message);
});

test.each([
  [
    "{award_in_forse: evening-peak}",
    /when\.award_in_forse: found an unknown key, .*\(did you mean award_in_force\?\)$/,
  ],
  ["{uncovered: {above: 20}}", /when\.uncovered: found an unknown key, .*\(did you mean uncovered_kw\?\)$/],
  [
    "{share: 4}",
    /when\.share: found an unknown key, allowed one of delivered_share_pct, uncovered_kw, soc_pct, .*, time$/,
  ],
])("of a mistyped condition %s in one line", (condition, message) => {
  expect(whenErrors(condition)).toMatch(message);
});

test.each([
  "{command: {path: /control}}",
  "{command: {path: /members/, outcome: refused}}",
  "{weight: {site: factory, above: 20}, for: PT2M}",
  "{uncovered_kw: {above: 20}}",
  "{owner_call: factory}",
])("a condition %s is accepted", (condition) => {
  expect(whenErrors(condition)).toBe("");
});

test.each([
  [
    "battery-large:\n      answer",
    "battery-larg:\n      answer",
    /owner_calls\.sites: found "battery-larg", allowed sites of the scenario \(did you mean battery-large\?\)/,
  ],
  [
    "{measure: refused_requests, at_most: 2}",
    "{measure: open_steps, at_most: 0}",
    /measure: found open_steps, allowed another measure, or steps in the drill/,
  ],
  [
    "{measure: refused_requests, at_most: 2}",
    "{measure: client_mistakes, at_most: 0}",
    /measure: found client_mistakes, allowed another measure, or trainee: program/,
  ],
])("%s → %s", (from, to, message) => {
  expect(errorsOf(from, to).join("\n")).toMatch(message);
});

test.each([
  [
    "output_control, limit_pct: 20, site: factory",
    /injects\.0\.site: found "factory", allowed a site with a generator or a battery: battery-large, .*pv-hill/,
  ],
  ["fcr_fault, site: factory", /injects\.0\.site: found "factory", allowed a site that can provide FCR/],
])("a fault that the site cannot have is refused: %s", (fault, message) => {
  expect(errorsOf("kind: outage, site: battery-large", `kind: ${fault}`).join("\n")).toMatch(message);
});

test.each([
  [
    "from: 2026-05-20T17:00:00+09:00",
    /steps\.0\.from: found 2026-05-20T08:00:00Z, allowed an instant of the drill, from 2026-05-20T08:20:00Z/,
  ],
  [
    "from: 2026-05-20T18:00:00+09:00, until: 2026-05-20T18:00:00+09:00",
    /steps\.0\.until: found 2026-05-20T09:00:00Z, allowed an instant after 2026-05-20T09:00:00Z, at most 2026-05-20T11:00:00Z/,
  ],
  ["until: 2026-05-20T20:00:01+09:00", /steps\.0\.until: found 2026-05-20T11:00:01Z, allowed an instant after/],
  ["done_when: {owner_call: factry}", /steps\.0\.done_when\.owner_call: found "factry".*did you mean factory/],
  ["done_when: {ownr_call: factory}", /steps\.0\.done_when\.ownr_call: .*did you mean owner_call/],
])("of a step %s", (keys, message) => {
  const condition = keys.startsWith("done_when") ? "" : ", done_when: {owner_call: factory}";
  const step = `steps:\n  - {text: {en: Do it}, ${keys}${condition}}\ngoals:`;
  expect(errorsOf("goals:", step).join("\n")).toMatch(message);
});

test("an output control without limit_pct is refused, because it would limit to 0 unnoticed", () => {
  expect(errorsOf("kind: outage, site", "kind: output_control, site").join("\n")).toMatch(
    /limit_pct: a value is required/,
  );
});

test.each([
  ["{owner_call: batery}", /owner_call: found "batery", allowed a site of the scenario/],
  [
    "{weights: {battery-lage: 4}}",
    /weights: found "battery-lage", allowed members of the VPP \(did you mean battery-large\?\)/,
  ],
  ["{weights: {battery-large: 4}, vpp: west}", /vpp: found "west", allowed a VPP of the scenario/],
  [
    "{delete_schedule_of: evning-peak}",
    /delete_schedule_of: found "evning-peak", allowed an award .*\(did you mean evening-peak\?\)/,
  ],
  [
    "{immediate: {delta_kw: -100, minutes: 5}}",
    /immediate: found an action that outage-in-an-award does not permit, allowed immediate in its list may/,
  ],
])("of an action %s of a script", (action, message) => {
  const file = join(createTemporaryFolder("script"), "script.yaml");
  const at = "at: 2026-05-20T18:02:00+09:00";
  writeFileSync(file, `version: 1\ndrill: outage-in-an-award\nactions:\n  - ${action.replace("{", `{${at}, `)}\n`);
  expect(messagesOf(() => readDrillScript(file, readDrill(FILE))).join("\n")).toMatch(message);
});

test.each([
  ["another drill", "storm", ["2026-05-20T03:00:00+09:00"], [/^drill: found "storm", allowed the name of the drill/]],
  [
    "an action after the drill",
    "outage-in-an-award",
    ["2026-05-20T18:02:00+09:00", "2026-05-21T00:00:00+09:00", "2026-05-20T18:03:00+09:00"],
    [/^actions\.1\.at: found 2026-05-20T15:00:00Z, allowed an instant from 2026-05-20T09:02:00Z until before/],
  ],
])("one error in a script is reported once: %s", (_, name, instants, messages) => {
  const file = join(createTemporaryFolder("script"), "script.yaml");
  const actions = instants.map((at) => `  - {at: ${at}, owner_call: battery-large}\n`);
  writeFileSync(file, `version: 1\ndrill: ${name}\nactions:\n${actions.join("")}`);
  const errors = messagesOf(() => readDrillScript(file, readDrill(FILE))).filter((line) => line.startsWith(file));
  expect(errors.map((line) => line.replace(/^.*?:\d+:\d+: /, ""))).toEqual(
    messages.map((message) => expect.stringMatching(message)),
  );
});

test("a name without a drill is answered with the names there are", () => {
  expect(() => drillFileOf("strom")).toThrow(/no such drill.*battery-runs-empty.*storm/);
});

test("the shipped drills have no errors", () => expect(errorsOf("version: 1", "version: 1")).toEqual([]));

test("the drill and the script of the user's guide are valid, and are graded", async () => {
  const guide = readFileSync("docs/drills.md", "utf8");
  const [drillText, scriptText] = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  const folder = createTemporaryFolder("guide");
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const file = write(
    "my-drill.yaml",
    drillText.replace("../quickstart/scenario.yaml", resolve("scenarios/quickstart/scenario.yaml")),
  );
  const drill = { ...readDrill(file), searchBudget: 12 };
  const script = readDrillScript(write("actions.yaml", scriptText), drill);
  const { measures, isComplete } = await gradeDrill(drill, executeScript(drill, script));
  expect(isComplete).toBe(true);
  expect(measures.refused_requests).toBe(0);
});

test("a goal on the penalty of awards without one is refused: doing nothing would have all points", () => {
  expect(errorsOf("../quickstart/scenario.yaml", "../quickstart/scenario.yaml")).toEqual([]);
  expect(
    errorsOf("{measure: shortfall_kwh, min_points: 50, weight: 3}", "{measure: shortfall_jpy, min_points: 50}"),
  ).toEqual([]);
  const drill = WRITTEN.replace("measure: shortfall_kwh", "measure: shortfall_jpy");
  const scenario = readFileSync("scenarios/quickstart/scenario.yaml", "utf8").replaceAll(
    /, penalty_jpy_per_kwh: \d+/g,
    "",
  );
  const texts = new Map([
    [resolve(FILE), drill],
    [resolve("scenarios/quickstart/scenario.yaml"), scenario],
  ]);
  const files = {
    read: (path: string) => {
      const text = texts.get(resolve(path));
      return text === undefined ? diskFiles.read(path) : Buffer.from(text);
    },
  };
  expect(messagesOf(() => readDrill(FILE, files)).join("\n")).toMatch(
    /measure: found shortfall_jpy, allowed shortfall_kwh: no award of the drill has penalty_jpy_per_kwh/,
  );
});

test.each([
  [
    "{opened_at: 2026-05-20T08:20:00Z, scenario_events: 0, drill: {name: evening, hash: a}}",
    /a session of the drill evening, which does not ship, allowed its file in --drill/,
  ],
  [
    "{opened_at: 2026-05-20T08:20:00Z, scenario_events: 0}",
    /a session without a drill, allowed the export of a drill session/,
  ],
])("an export with the session %s needs to say which drill", async (session, message) => {
  const file = join(createTemporaryFolder("export"), "session.yaml");
  writeFileSync(file, `version: 1\nend: 2026-05-20T09:00:00Z\nsession: ${session}\n`);
  await expect(drillGradeCommand(file, {})).rejects.toThrow(message);
});
