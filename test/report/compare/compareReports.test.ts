import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { assert } from "../../../src/base/assert.ts";
import { InputErrors } from "../../../src/base/inputError.ts";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { compareReports } from "../../../src/report/compare/compareReports.ts";
import { renderComparisonHtml } from "../../../src/report/compare/comparisonPage.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

const root = createTemporaryFolder("compare");

/** Two reports. */
function compare(dirA: string, dirB: string, reading: { readonly timezone?: string } = {}) {
  const { text, pair, json, many } = compareReports([dirA, dirB], { names: ["now", "later"], ...reading });
  assert(pair !== null, "two reports have the details of a pair");
  return { text, pair, json, many };
}

type Files = Readonly<Record<string, string>>;
let folders = 0;

function folder(files: Files): string {
  folders += 1;
  const dir = join(root, `report-${folders}`);
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

const summary = (kpis: Readonly<Record<string, number | null>>, seed = 1, hash = "a".repeat(64)): string =>
  JSON.stringify({
    scenario: { name: "two-batteries", hash, version: 1 },
    seed,
    period: { start: "2026-04-01T00:00:00Z", end: "2026-04-02T00:00:00Z" },
    kpis,
    warnings: [],
  });

const AWARD_COLUMNS =
  "award_id,state,uncovered_kw,shortfall_kwh,shortfall_out_of_service_kwh,shortfall_ramp_kwh,uncovered_out_of_service_kw,uncovered_power_limit_kw";

const awards = (...rows: readonly string[]): string => `${[AWARD_COLUMNS, ...rows].join("\n")}\n`;

const base: Files = {
  "summary.json": summary({ requested_kwh: 100, shortfall_kwh: 15, revenue_jpy: null, awards_total: 4 }),
  "awards.csv": awards(
    "A-1,completed,0.000,10.000,8.000,2.000,0.000,0.000",
    "A-2,completed,-20.000,5.000,5.000,0.000,20.000,0.000",
    "A-3,completed,80.000,,,,0.000,80.000",
    "A-4,completed,0.000,0.000,0.000,0.000,0.000,0.000",
  ),
  "sites.csv": "site,import_kwh,soc_min_pct\nbat-01,10.000,12.000\npv-01,0.000,\n",
  "energy.csv": "start,site,import_kwh\n2026-04-01T00:00:00Z,bat-01,1.000\n",
  "events.csv":
    'at,kind,subject,detail\n2026-04-01T01:00:00Z,outage_start,bat-01,"one\ntwo"\n2026-04-01T02:00:00Z,noticed,bat-01,\n',
};

const other: Files = {
  ...base,
  "summary.json": summary(
    { requested_kwh: 100, shortfall_kwh: 16.5, revenue_jpy: 12, awards_total: 4 },
    2,
    "b".repeat(64),
  ),
  "awards.csv": awards(
    "A-1,completed,0.000,13.500,11.000,2.500,0.000,0.000",
    "A-2,overwritten,-20.000,3.000,3.000,0.000,20.000,0.000",
    "A-3,completed,60.000,,,,0.000,60.000",
    "A-5,completed,0.000,0.000,0.000,0.000,0.000,0.000",
  ),
  "sites.csv": "site,import_kwh,soc_min_pct\nbat-01,11.250,12.000\npv-02,0.000,\n",
  "events.csv":
    'at,kind,subject,detail\n2026-04-01T01:00:00Z,outage_start,bat-01,"one\ntwo"\n2026-04-01T02:00:30Z,noticed,bat-01,\n',
};

describe("two runs that differ", () => {
  const { pair, text } = compare(folder(base), folder(other));

  test("key figures have the difference B − A", () => {
    expect(pair.kpis).toEqual([
      { name: "requested_kwh", a: 100, b: 100, difference: 0 },
      { name: "shortfall_kwh", a: 15, b: 16.5, difference: 1.5 },
      { name: "revenue_jpy", a: null, b: 12, difference: null },
      { name: "awards_total", a: 4, b: 4, difference: 0 },
    ]);
    expect([pair.same_scenario, pair.same_results]).toEqual([false, false]);
  });

  test("worsened and improved awards are listed with their causes", () => {
    const found = pair.awards;
    expect(found?.compared).toBe(3);
    expect(found?.worsened.map(({ award_id, causes }) => [award_id, causes])).toEqual([
      [
        "A-1",
        [
          { cause: "out_of_service", a: 8, b: 11, difference: 3 },
          { cause: "ramp", a: 2, b: 2.5, difference: 0.5 },
        ],
      ],
    ]);
    expect(found?.improved.map(({ award_id, cause_unit }) => [award_id, cause_unit])).toEqual([
      ["A-2", "kWh"],
      ["A-3", "kW"],
    ]);
    expect(found?.improved[1].causes).toEqual([{ cause: "power_limit", a: 80, b: 60, difference: -20 }]);
    expect([found?.only_in_a, found?.only_in_b, found?.unchanged]).toEqual([["A-4"], ["A-5"], 0]);
    expect(found?.causes).toEqual([
      { cause: "out_of_service", a: 13, b: 14, difference: 1 },
      { cause: "ramp", a: 2, b: 2.5, difference: 0.5 },
    ]);
  });

  test("sites are listed with their changed fields", () => {
    expect(pair.sites).toEqual({
      compared: 1,
      changed: [{ site: "bat-01", fields: [{ name: "import_kwh", a: 10, b: 11.25, difference: 1.25 }] }],
      only_in_a: ["pv-01"],
      only_in_b: ["pv-02"],
    });
  });

  test("the first differing event is counted in records, not in lines", () => {
    expect(pair.first_differing_event?.row).toBe(2);
    expect(pair.first_differing_event?.columns).toEqual(["at"]);
    expect(pair.first_differing_event?.b?.at).toBe("2026-04-01T02:00:30Z");
    expect(pair.first_differing_energy).toBeNull();
  });

  test("the first divergence is the earliest row of any table", () => {
    expect(pair.parted).toEqual({ at: "2026-04-01T02:00:00Z", file: "events.csv" });
    const dispatch = (at: string) => `at,award_id,site,delta_kw\n${at},A-1,bat-01,5.0\n`;
    const divergence = (a: string, b: string) =>
      compare(folder({ ...base, "dispatch.csv": dispatch(a) }), folder({ ...other, "dispatch.csv": dispatch(b) })).pair
        .parted;
    // As text, ".500Z" sorts before "Z".
    expect(divergence("2026-04-01T02:00:00.500Z", "2026-04-01T03:00:00Z")?.file).toBe("events.csv");
    expect(divergence("2026-04-01T02:00:10Z", "2026-04-01T01:59:59.999Z")).toEqual({
      at: "2026-04-01T01:59:59.999Z",
      file: "dispatch.csv",
    });
    expect(compare(folder(base), folder(base)).pair.parted).toBeNull();
  });

  test("the text has the same content", () => {
    for (const line of [
      "now: shortfall 15.0 kWh",
      "later: shortfall 16.5 kWh (+1.5 kWh, +10.0 %)",
      "Mainly out of service (+1.0 kWh) and award A-1 (+3.5 kWh).",
      "The scenarios differ; what changed is not in the reports, because an older version wrote one of them.",
      "Of 3 awards in both, 2 improved, 1 worsened and 0 unchanged.",
      "First divergence: 1 Apr 2026 02:00, in events.csv.",
      "Key figures that differ",
      "  Key figure     unit   now  later  difference",
      "  shortfall_kwh   kWh  15.0   16.5        +1.5",
      "  revenue_jpy     JPY     –     12           –",
      "Awards that changed",
      "  A-1     kWh  10.0   13.5        +3.5",
      "  A-2     kWh   5.0    3.0        -2.0",
      "  only in the first: A-4",
      "  A-1: Out of service +3 kWh; Delay and ramp +0.5 kWh",
      "  A-2: Out of service -2 kWh; state completed -> overwritten",
      "  A-3: Power limit -20 kW; uncovered 80 -> 60 kW (-20)",
      "  Out of service   13     14          +1",
      "Sites that changed",
      "  bat-01  kWh import  10.0   11.3        +1.3",
      "events.csv: the first row that differs is row 2, in at",
      "  now  1 Apr 2026 02:00, noticed, bat-01, ",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  test("swapping the reports changes the sign of every difference", () => {
    const back = compare(folder(other), folder(base)).pair;
    expect(back.awards?.worsened.map(({ award_id }) => award_id)).toEqual(["A-2", "A-3"]);
    expect(back.awards?.improved.map(({ award_id }) => award_id)).toEqual(["A-1"]);
    expect(back.kpis[1].difference).toBe(-1.5);
  });
});

describe("what changed between two scenarios", () => {
  const settings = (values: Readonly<Record<string, unknown>>): string => JSON.stringify({ settings: values });
  const ofB = (values: Readonly<Record<string, unknown>>): Files => ({ ...other, "scenario.json": settings(values) });
  const common = { "weights.east.bat-1": 100, "weights.east.bat-2": 50, "sites.bat-1.components.bat.rated_cap": 2000 };
  const a: Files = { ...base, "scenario.json": settings(common) };
  const changesTo = (values: Readonly<Record<string, unknown>>): string =>
    compare(folder(a), folder(ofB({ ...common, ...values })))
      .text.split("\n")
      .find((line) => line.startsWith("Changed")) ?? "";

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a weight", { "weights.east.bat-1": 80 }, "Changed: seed (1 -> 2); weights of east (bat-1 100 -> 80)."],
    [
      "a rating and an option",
      { "sites.bat-1.components.bat.rated_cap": 3000, "vpps.east.delta_excess": "redistribute" },
      "Changed: seed (1 -> 2); site bat-1 (bat.rated_cap 2000 -> 3000); VPP east (only in later).",
    ],
    [
      "rows and series, whose digests say nothing",
      { events: "3 rows, 0123456789ab", "series.pv.pv_kw step": "0123456789ab" },
      "Changed: seed (1 -> 2); events (only in later); series pv.pv_kw (only in later).",
    ],
    [
      "a new site",
      { "sites.bat-3.components.bat.rated_cap": 10, "sites.bat-3.control": "open" },
      "Changed: seed (1 -> 2); site bat-3 (only in later).",
    ],
    [
      "many settings",
      Object.fromEntries([1, 2, 3, 4, 5, 6].map((k) => [`sites.s${k}.control`, "open"])),
      "Changed: seed (1 -> 2); site s1 (only in later); site s2 (only in later); site s3 (only in later) and 3 more.",
    ],
  ])("%s", (_, values, line) => expect(changesTo(values)).toBe(line));

  test("the JSON has every change with its path, and null where a report has no settings", () => {
    const { pair } = compare(folder(a), folder(ofB({ ...common, "weights.east.bat-1": 80 })));
    expect(pair.changes).toEqual([
      { path: "seed", a: 1, b: 2 },
      { path: "weights.east.bat-1", a: 100, b: 80 },
    ]);
    expect(compare(folder(base), folder(ofB(common))).pair.changes).toBeNull();
  });

  test("a run and the same run with a patch differ in the patched values alone", async () => {
    const file = new URL("../../../scenarios/studies/unequal-batteries.yaml", import.meta.url).pathname;
    const [dirA, dirB] = ["plain", "patched"].map((name) => join(root, name));
    const toMs = Date.parse("2026-06-01T06:00:00Z");
    await runScenario(loadScenario(file, { toMs }), { out: dirA });
    await runScenario(loadScenario(file, { toMs, patch: { "weights.east.long": 20 } }), { out: dirB });
    const { pair } = compare(dirA, dirB);
    expect(pair.changes).toEqual([{ path: "weights.east.long", a: 100, b: 20 }]);
    expect(pair.same_scenario).toBe(false);
  });

  test("settings that are not single values are refused", () => {
    expect(() => compare(folder(a), folder(ofB({ "weights.east.bat-1": [1] })))).toThrow(
      /scenario\.json: weights\.east\.bat-1: found a list of 1, allowed a single value/,
    );
  });
});

describe("the verdict", () => {
  const withShortfall = (kwh: number | null, seed = 1): string =>
    folder({ ...base, "summary.json": summary({ shortfall_kwh: kwh }, seed) });
  const headline = (a: number | null, b: number | null): string =>
    compare(withShortfall(a), withShortfall(b, 2)).text.split("\n")[1];

  test.each<[number | null, number | null, string]>([
    [5708, 3027, "later: shortfall 3,027.0 kWh (-2,681.0 kWh, -47.0 %)"],
    [0, 12.5, "later: shortfall 12.5 kWh (+12.5 kWh)"],
    [null, 12.5, "later: shortfall 12.5 kWh"],
  ])("shortfall of %s and %s kWh", (a, b, line) => expect(headline(a, b)).toBe(line));

  test("an unchanged shortfall with other results is stated", () => {
    const changed = { ...base, "sites.csv": "site,import_kwh,soc_min_pct\nbat-01,11.000,12.000\npv-01,0.000,\n" };
    expect(compare(folder(base), folder(changed)).text.split("\n")[1]).toBe("later: shortfall 15.0 kWh (unchanged)");
  });

  test("the site with the largest change is named, from the contributors of the awards", () => {
    const table = (kwh: string): string =>
      `award_id,state,end,shortfall_kwh,shortfall_ramp_kwh,most_lacking_kwh\n` +
      `A-1,completed,2026-04-01T02:00:00Z,${kwh},${kwh},bat-1 ramp ${kwh}; bat-2 ramp 0.000\n`;
    const report = (kwh: string) =>
      folder({ ...base, "summary.json": summary({ shortfall_kwh: Number(kwh) }), "awards.csv": table(kwh) });
    const { pair, text } = compare(report("10.000"), report("4.000"));
    expect(text.split("\n").slice(1, 3)).toEqual([
      "later: shortfall 4.0 kWh (-6.0 kWh, -60.0 %)",
      "Mainly delay and ramp (-6.0 kWh), site bat-1 (-6.0 kWh) and award A-1 (-6.0 kWh).",
    ]);
    expect(pair.shortfall_over_time).toEqual([
      { at: "2026-04-01T00:00:00Z", a: 0, b: 0 },
      { at: "2026-04-01T02:00:00Z", a: 10, b: 4 },
    ]);
  });

  test("times are in the zone of the scenario of A, or in another one", () => {
    const inTokyo = base["summary.json"].replace('"name"', '"timezone":"Asia/Tokyo","name"');
    const [dirA, dirB] = [folder({ ...base, "summary.json": inTokyo }), folder(other)];
    const { pair, text } = compare(dirA, dirB);
    expect(text).toContain("First divergence: 1 Apr 2026 11:00, in events.csv.");
    expect(text).toContain("Times in Asia/Tokyo (UTC+09:00)");
    expect(pair.parted?.at).toBe("2026-04-01T02:00:00Z");
    expect(compare(dirA, dirB, { timezone: "America/New_York" }).text).toContain("First divergence: 31 Mar 2026 22:00");
  });
});

describe("tables to compare", () => {
  test("equal reports", () => {
    const { pair, text } = compare(folder(base), folder(base));
    expect([pair.same_scenario, pair.same_results, pair.awards?.unchanged, pair.notes]).toEqual([true, true, 4, []]);
    expect(text).toContain("All compared results are equal.\nBoth runs have the same scenario.\n");
    expect(text).toContain("All key figures are equal");
  });

  test("a table that is missing from one report is named", () => {
    const { "awards.csv": _, "energy.csv": __, ...less } = base;
    const dir = folder(less);
    const { pair, text } = compare(folder(base), dir);
    expect(pair.awards).toBeNull();
    expect(pair.notes).toEqual([
      `awards.csv is not in ${dir} and was not compared; a run with --format csv writes it`,
      "energy.csv is in only one of the reports and was not compared",
    ]);
    expect(text).toContain("Note: awards.csv is not in");
  });

  test("a longer table", () => {
    const longer = `${base["energy.csv"]}2026-04-01T00:30:00Z,bat-01,2.000\n`;
    const { pair, text } = compare(folder(base), folder({ ...base, "energy.csv": longer }));
    expect(pair.first_differing_energy).toMatchObject({ row: 2, a: null, b: { import_kwh: "2.000" } });
    expect(pair.same_results).toBe(false);
    expect(text).toContain("  now  (no more rows)");
  });

  test("other columns", () => {
    const { pair } = compare(
      folder(base),
      folder({ ...base, "energy.csv": "start,site\n2026-04-01T00:00:00Z,bat-01\n" }),
    );
    expect(pair.first_differing_energy).toMatchObject({ row: 0, columns: ["import_kwh"] });
  });

  test("tables larger than one chunk, with multi-byte characters across chunk boundaries", () => {
    const rows = Array.from({ length: 60_000 }, (_, k) => `2026-04-01T00:00:00Z,sité-${k},1.000`);
    const table = (last: string): string => `start,site,import_kwh\n${[...rows, last].join("\n")}\n`;
    const a = folder({ ...base, "energy.csv": table("x,é,1") });
    const b = folder({ ...base, "energy.csv": table("x,é,2") });
    expect(compare(a, b).pair.first_differing_energy).toMatchObject({
      row: 60_001,
      a: { site: "é" },
      columns: ["import_kwh"],
    });
  });
});

describe("folders that are not reports", () => {
  const good = folder(base);
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["no such folder", join(root, "nowhere"), /nowhere: found no such folder, allowed the report folder of a run/],
    ["an empty folder", folder({}), /found no summary\.json in it/],
    ["a summary that is not JSON", folder({ "summary.json": "{" }), /summary\.json: found text that is not JSON/],
    [
      "a summary without a scenario",
      folder({ "summary.json": "{}" }),
      /summary\.json: scenario: a value is required \(a mapping\)/,
    ],
    [
      "the report of a study",
      folder({ "summary.json": '{"study":{}}' }),
      /found the report of a study, allowed the report folder of a run/,
    ],
    [
      "a figure that is not a number",
      folder({ "summary.json": summary({}).replace('"kpis":{}', '"kpis":{"export_kwh":"1"}') }),
      /kpis\.export_kwh: found "1", allowed a number/,
    ],
    [
      "a figure with an unknown name",
      folder({ "summary.json": summary({ shortfal_kwh: 1 }) }),
      /kpis: found "shortfal_kwh", allowed a figure of summary\.json \(did you mean shortfall_kwh\?\): uncovered_kw_max, /,
    ],
    [
      "an award twice",
      folder({ ...base, "awards.csv": awards("A-1,,,,,,,", "A-1,,,,,,,") }),
      /awards\.csv:3:1: award_id: found "A-1" twice/,
    ],
    ["awards without ids", folder({ ...base, "awards.csv": "x\n1\n" }), /award_id: found no such column/],
    [
      "a broken table",
      folder({ ...base, "sites.csv": 'site,x\n"a,b\n' }),
      /sites\.csv: found .* allowed a CSV table with a header/,
    ],
  ];
  test.each(cases)("%s", (_, dir, message) => {
    expect(() => compare(good, dir)).toThrow(message);
    expect(() => compare(dir, good)).toThrow(InputErrors);
  });
});

test("frequency response is compared by its own columns; more uncovered FCR capacity is worse", () => {
  const columns =
    "award_id,state,uncovered_kw,shortfall_kwh,fcr_response_kw,fcr_uncovered_kw,fcr_activated_up_kwh,fcr_activated_down_kwh";
  const report = (...rows: readonly string[]) =>
    folder({ ...base, "awards.csv": `${[columns, ...rows].join("\n")}\n` });
  const { pair, text } = compare(
    report(
      "C-1,completed,-5.000,1.000,50.000,0.000,2.000,3.000",
      "F-1,completed,10.000,,80.000,10.000,4.000,5.000",
      "F-2,completed,0.000,,80.000,0.000,4.000,5.000",
      "R-1,completed,0.000,0.000,,,,",
    ),
    report(
      "C-1,completed,-5.000,1.000,50.000,12.000,2.500,3.000",
      "F-1,completed,4.000,,80.000,4.000,4.000,5.000",
      "F-2,completed,0.000,,80.000,0.000,4.000,6.000",
      "R-1,completed,0.000,0.000,,,,",
    ),
  );
  expect(pair.awards?.worsened.map(({ award_id }) => award_id)).toEqual(["C-1"]);
  expect(pair.awards?.improved.map(({ award_id }) => award_id)).toEqual(["F-1"]);
  expect(pair.awards?.otherwise_changed.map(({ award_id }) => award_id)).toEqual(["F-2"]);
  expect(pair.awards?.unchanged).toBe(1);
  expect(pair.awards?.worsened[0].fcr).toMatchObject({ fcr_uncovered_kw: { a: 0, b: 12, difference: 12 } });
  expect(text).toContain("  C-1: fcr_uncovered_kw 0 -> 12 (+12); fcr_activated_up_kwh 2 -> 2.5 (+0.5)\n");
  expect(text).toContain("  F-1: uncovered 10 -> 4 kW (-6)\n");
  expect(text).toContain("  F-2: fcr_activated_down_kwh 5 -> 6 (+1)\n");
});

describe("the page", () => {
  const pageOf = (a: Files, b: Files): string => {
    return renderComparisonHtml(compareReports([folder(a), folder(b)]));
  };

  test("has figures, awards, causes, sites and the first divergence, and loads nothing", () => {
    const page = pageOf(base, other);
    for (const part of [
      "shortfall 16.5\u00a0kWh (+1.5\u00a0kWh, +10.0\u00a0%)",
      "Mainly out of service",
      '<div class="bars"',
      "A-1",
      "events.csv, row ",
      "First divergence",
      "Sites that changed",
    ])
      expect(page).toContain(part);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page.replace(/<script>[\s\S]*?<\/script>/g, "")).not.toMatch(/\b(?:NaN|undefined)\b/);
  });

  test("states that nothing differs", () => {
    const page = pageOf(base, base);
    expect(page).toContain("All compared results are equal.");
    expect(page).toContain("No row of events, dispatch or energy differs.");
  });

  test("escapes the texts of a report", () => {
    const malicious = { ...other, "sites.csv": "site,import_kwh\n<script>x</script>,1\n" };
    expect(pageOf(base, malicious)).not.toContain("<script>x");
  });
});
