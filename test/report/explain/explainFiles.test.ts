import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AwardRow } from "../../../src/accounting/settlement/awardRows.ts";
import { InputErrors } from "../../../src/base/inputError.ts";
import { roundTo } from "../../../src/base/rounding.ts";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { explainAward } from "../../../src/report/explain/explainAward.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { PROJECT, runVppsim } from "../../cli/runVppsim.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import {
  awardsCsv,
  createEmptyFolder,
  dispatchCsv,
  eventsCsv,
  type ReportFiles,
  summaryFile,
  writeReport,
} from "./reportFiles.ts";

const QUICKSTART = join(PROJECT, "scenarios/quickstart/scenario.yaml");
const root = createTemporaryFolder("explain-run");
const report = join(root, "csv");

describe("the quickstart's report", () => {
  let awardIds: readonly string[] = [];
  let topContributors: ReadonlyMap<string, AwardRow["topContributors"]> = new Map();
  beforeAll(async () => {
    const { record } = await runScenario(loadScenario(QUICKSTART, { formats: ["csv"] }), { out: report });
    await runScenario(loadScenario(QUICKSTART, { formats: ["json"] }), { out: join(root, "json") });
    awardIds = record.awards.map(({ awardId }) => awardId);
    topContributors = new Map(record.awards.map((award) => [award.awardId, award.topContributors]));
  });

  test("the top contributors equal those of the record to three decimals", () => {
    const pairs = (contributors: readonly { site: string; cause: string; kwh: number }[]) =>
      contributors.map(({ site, cause, kwh }) => `${cause} ${site} ${roundTo(kwh, 3).toFixed(3)}`).sort();
    for (const id of awardIds) {
      const { shortfall_causes } = explainAward(report, id).json;
      const named = shortfall_causes.flatMap(({ cause, members }) =>
        members.flatMap(({ site, kwh }) => (kwh === null ? [] : [{ site, cause, kwh }])),
      );
      expect(pairs(named), id).toEqual(pairs(topContributors.get(id) ?? []));
      expect(named.length, id).toBeGreaterThan(0);
    }
  });

  test("the morning reserve: outage, detection at the minute, re-dispatch, recovery", () => {
    const { json } = explainAward(report, "morning-reserve");
    const chain = json.chain.filter(({ kind }) => kind !== "dr_event");
    expect(chain.map(({ at, kind, subject }) => `${at.slice(11)} ${kind} ${subject}`)).toEqual([
      "21:00:00Z schedule_created morning-reserve",
      "22:00:00Z dispatch morning-reserve",
      "22:40:20Z outage_start battery-large",
      "22:41:00Z noticed battery-large",
      "22:41:00Z redispatch morning-reserve",
      "23:10:20Z outage_end battery-large",
      "23:11:00Z noticed battery-large",
      "23:11:00Z redispatch morning-reserve",
      "23:30:00Z end morning-reserve",
    ]);
    // 1,900 kW by weights 500, 250, 100, 250, 150, 80 of 1,330.
    expect(chain[1].members.map(({ delta_kw }) => delta_kw)).toEqual([-714.3, -357.1, -142.9, -357.1, -214.3, -114.3]);
    expect(chain[3].text).toContain("40 s later, at the whole minute; its -714.3 kW are withdrawn");
    expect(json.shortfall_causes[0]).toMatchObject({ cause: "out_of_service", members: [{ site: "battery-large" }] });
    expect(json.timezone).toBe("Asia/Tokyo");
  });

  test("every award: causes add up to the total, times ascend, deltas and uncovered power add up to the request", () => {
    expect(awardIds).toHaveLength(9);
    for (const id of awardIds) {
      const { json } = explainAward(report, id);
      const sum = json.shortfall_causes.reduce((all, { amount }) => all + Math.round(1000 * amount), 0);
      expect(sum, id).toBe(Math.round(1000 * (json.shortfall_kwh ?? 0)));
      const times = json.chain.map(({ at }) => Date.parse(at));
      expect(times, id).toEqual([...times].sort((a, b) => a - b));
      const first = json.chain.find(({ kind }) => kind === "dispatch");
      const dispatched = (first?.members ?? []).reduce(
        (all, { delta_kw }) => all + Math.round(10 * (delta_kw ?? 0)),
        0,
      );
      expect(dispatched + Math.round(10 * (json.uncovered_kw ?? 0)), id).toBe(Math.round(10 * json.requested_kw));
      expect(first?.uncovered_kw, id).toBe(json.uncovered_kw);
    }
  });

  test("every award: at most 100 columns, no trailing blanks, and equal from JSON Lines", () => {
    for (const id of awardIds) {
      const { text } = explainAward(report, id);
      for (const line of text.split("\n")) expect([line.length <= 100, line], id).toEqual([true, line.trimEnd()]);
      expect(explainAward(join(root, "json"), id).text, id).toBe(text);
    }
  });

  test("on the command line, as text and as one JSON object", () => {
    const { json, text } = explainAward(report, "noon-sale");
    expect(runVppsim(["explain", report, "noon-sale"])).toEqual({ status: 0, stdout: text, stderr: "" });
    const asJson = runVppsim(["explain", report, "noon-sale", "--json"]);
    expect(JSON.parse(asJson.stdout)).toEqual(json);
    expect(asJson.stdout.trim().split("\n")).toHaveLength(1);
  });

  test("an unknown award is bad input, with similar ids in the message", () => {
    const { status, stdout, stderr } = runVppsim(["explain", report, "noon-sail"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain('found no award "noon-sail", allowed one of 9 awards; did you mean "noon-sale"');
  });
});

const COMPLETE: ReportFiles = {
  "summary.json": summaryFile(),
  "awards.csv": awardsCsv({}),
  "dispatch.csv": dispatchCsv("10:00:00 bat-1 -300.000 dispatched - 300.000"),
  "events.csv": eventsCsv("09:00:00 schedule_created A-1 schedule"),
};

const without = (...names: readonly string[]): ReportFiles =>
  Object.fromEntries(Object.entries(COMPLETE).filter(([name]) => !names.includes(name)));

describe("incomplete reports", () => {
  const messageOf = (dir: string, awardId = "A-1"): string => {
    try {
      explainAward(dir, awardId);
    } catch (error) {
      if (error instanceof InputErrors) return error.message.replace(`${dir}`, "<report>");
      throw error;
    }
    return "no error";
  };

  test.each<[string, ReportFiles, string]>([
    ["no report", {}, "found no summary.json in it, allowed the report folder of a run"],
    [
      "awards omitted",
      without("awards.csv"),
      "<report>: found no awards table, allowed awards.csv or awards.jsonl: run again with --format csv and without awards in report.omit",
    ],
    [
      "Parquet alone",
      { ...without("awards.csv"), "awards.parquet": "PAR1" },
      "<report>: found awards.parquet alone, allowed awards.csv or awards.jsonl: run again with --format csv",
    ],
    [
      "no awards in the run",
      { ...COMPLETE, "awards.csv": awardsCsv() },
      "a report of a run with awards: this one has none",
    ],
    [
      "an unknown state",
      { ...COMPLETE, "awards.csv": awardsCsv({ state: "lost" }) },
      'state: found "lost", allowed pending, running',
    ],
    [
      "a start that is not an instant",
      { ...COMPLETE, "awards.csv": awardsCsv({ start: "noon" }) },
      'start: found "noon", allowed an instant in UTC',
    ],
    [
      "a truncated JSON line",
      { ...without("awards.csv"), "awards.jsonl": '{"award_id":"A-0"}\n{"award_id":"A-1",' },
      'awards.jsonl:2:1: found "{\\"award_id\\":\\"A-1\\",", allowed one JSON object per line',
    ],
  ])("%s: the message names the missing data and how to get it", (_, files, message) => {
    expect(messageOf(Object.keys(files).length === 0 ? createEmptyFolder() : writeReport(files))).toContain(message);
  });

  test("few awards are listed, many are counted", () => {
    const ids = (count: number) => awardsCsv(...Array.from({ length: count }, (_, k) => ({ award_id: `A-${k + 1}` })));
    expect(messageOf(writeReport({ ...COMPLETE, "awards.csv": ids(1) }), "xyz")).toContain(
      'allowed the only award: "A-1"',
    );
    expect(messageOf(writeReport({ ...COMPLETE, "awards.csv": ids(40) }), "xyz")).toContain(
      'allowed one of 40 awards, "A-1" to "A-40"',
    );
    expect(messageOf(writeReport({ ...COMPLETE, "awards.csv": ids(40) }), "A-41")).toContain('; did you mean "A-1", ');
  });

  test("without dispatches and events the totals are shown, with a note for each table", () => {
    const { text, json } = explainAward(writeReport(without("dispatch.csv", "events.csv")), "A-1");
    expect(json.chain.map(({ kind }) => kind)).toEqual(["end"]);
    expect(json.notes).toHaveLength(2);
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "Note: The report has no dispatch table: set-points are not shown. Required: dispatch.csv or dispatch.jsonl",
    );
  });

  test("a report of an older version has no local times", () => {
    const { text, json } = explainAward(writeReport({ ...COMPLETE, "summary.json": summaryFile({}) }), "A-1");
    expect([json.timezone, text.includes("times are UTC")]).toEqual([null, false]);
  });
});

describe("ids that are difficult to search for", () => {
  test.each(["A-1", 'say "hi", there', "two\nlines", "名前 1", ".*", "A"])("%j", (awardId) => {
    const decoys = ["A-10", 'say "hi"', "two", "lines"];
    const files: ReportFiles = {
      ...COMPLETE,
      "awards.csv": awardsCsv(...decoys.map((id) => ({ award_id: id })), { award_id: awardId, requested_kw: "-7.000" }),
      "dispatch.csv": `${dispatchCsv("10:00:00 bat-9 -1.000 dispatched - 1.000", "A-10")}${dispatchCsv(
        "10:00:00 bat-1 -7.000 dispatched - 300.000",
        awardId,
      )
        .split("\n")
        .slice(1)
        .join("\n")}`,
    };
    const { json } = explainAward(writeReport(files), awardId);
    expect([json.award_id, json.requested_kw]).toEqual([awardId, -7]);
    expect(json.chain.flatMap(({ members }) => members.map(({ site }) => site))).toEqual(["bat-1"]);
  });
});
