import { describe, expect, test } from "vitest";
import { explainAward } from "../../../src/report/explain/explainAward.ts";
import {
  type AwardCells,
  asJsonLines,
  awardsCsv,
  dispatchCsv,
  eventsCsv,
  type ReportFiles,
  summaryFile,
  writeReport,
} from "./reportFiles.ts";

/** Three members, a request for 300 kW of export from 10:00 to 11:00, and most kinds of fault. */
const FAULTY_HOUR: ReportFiles = {
  "summary.json": summaryFile(),
  "awards.csv": awardsCsv({
    uncovered_kw: "-20.000",
    uncovered_weather_kw: "20.000",
    shortfall_kwh: "71.750",
    shortfall_out_of_service_kwh: "20.000",
    shortfall_energy_limit_kwh: "50.500",
    shortfall_weather_kwh: "1.250",
    most_lacking_kwh: "bat-2 energy_limit 50.500; bat-1 out_of_service 18.000; pv-1 weather 1.250",
  }),
  "dispatch.csv": dispatchCsv(`
    10:00:00  bat-1  -100.000  dispatched              -  200.000
    10:00:00  bat-2  -100.000  dispatched              -  150.000
    10:00:00  pv-1    -80.000  dispatched              -   80.000
    10:11:00  bat-1         -  skipped_out_of_service  -        -
    10:11:00  bat-2  -150.000  dispatched              -  150.000
    10:11:00  pv-1    -90.000  dispatched              -   90.000
    10:50:00  bat-1  -100.000  dispatched              -  200.000
    10:50:00  bat-2  -110.000  dispatched              -  150.000
  `),
  "events.csv": eventsCsv(`
    01:00:00      link              pv-1   down
    02:00:00      link              pv-1   up
    03:00:00      output_control    pv-1   90 %, fit
    09:00:00      schedule_created  A-1    schedule
    10:00:00      outage_start      other  scripted
    10:10:30      outage_start      bat-1  stochastic
    10:11:00      noticed           bat-1  out of service, A-1
    10:11:00      noticed           bat-1  out of service, A-2
    10:11:00      redispatch        A-1    -60 kW uncovered
    10:11:00      redispatch        A-2    -1 kW uncovered
    10:20:15      outage_start      pv-1   planned
    10:20:15      maintenance       pv-1   begins
    10:20:45      outage_end        pv-1   planned
    10:20:45      maintenance       pv-1   ends
    10:30:00.250  soc_bound         bat-2  empty
    10:31:00      warning           bat-2  on
    10:40:00      link              pv-1   down
    10:45:00      link              pv-1   up
    10:48:00      outage_end        bat-1  stochastic
    10:49:00      soc_bound         bat-1  full
    10:50:00      noticed           bat-1  back in service, A-1
    10:50:00      redispatch        A-1    0 kW uncovered
    10:51:00      output_control    pv-1   lifted
    10:52:00      weight            bat-1  east: 5
    11:00:00      outage_start      bat-2  scripted
  `),
};

const chainOf = (files: ReportFiles, awardId = "A-1"): readonly string[] =>
  explainAward(writeReport(files), awardId).json.chain.map(({ at, text }) => `${at.slice(11, -1)}  ${text}`);

const linesOf = (table: string): readonly string[] =>
  table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

describe("an hour with most kinds of fault", () => {
  const { json, text } = explainAward(writeReport(FAULTY_HOUR), "A-1");

  test("every event that affects the award, in order, with its effect", () => {
    expect(chainOf(FAULTY_HOUR)).toEqual(
      linesOf(`
        03:00:00  pv-1: output limited to 90 % of rated power, fit
        09:00:00  Registered 1 h before its start
        10:00:00  Dispatched to 3 members: -20.0 kW uncovered
        10:10:30  bat-1: goes out of service (random outage); its -100.0 kW are no longer delivered
        10:11:00  bat-1: detected as out of service 30 s later, at the whole minute; its -100.0 kW are withdrawn
        10:11:00  Re-dispatched: -60.0 kW uncovered
        10:20:15  pv-1: goes out of service (planned maintenance); its -90.0 kW are no longer delivered
        10:20:45  pv-1: back in service after 30 s, before the outage was detected; continues with -90.0 kW
        10:30:00.250  bat-2: storage empty; its -150.0 kW are no longer delivered
        10:31:00  bat-2: reports a warning, stays in service
        10:40:00  pv-1: unreachable, link down; continues with -90.0 kW
        10:45:00  pv-1: reachable again
        10:48:00  bat-1: back in service after 37 min 30 s
        10:49:00  bat-1: storage full, no limit in this direction
        10:50:00  bat-1: detected as back in service 2 min later, at the whole minute
        10:50:00  Re-dispatched: covered in full
        10:51:00  pv-1: output limit lifted
        10:52:00  bat-1: weight set, east: 5 (applies from the next start)
        11:00:00  Ends after 1 h, as scheduled
      `),
    );
  });

  test("dispatches list increased set-points, members at their capability, and skipped members", () => {
    expect(text).toContain(`\
  1 Apr 2026 19:11         Re-dispatched: -60.0 kW uncovered
                             increased: bat-2 -100.0 kW -> -150.0 kW (50.0 kW more), at its
                             capability; pv-1 -80.0 kW -> -90.0 kW (10.0 kW more), at its capability
                             skipped, out of service: bat-1 (was -100.0 kW)
`);
    expect(json.chain.map(({ uncovered_kw }) => uncovered_kw).filter((kw) => kw !== null)).toEqual([-20, -60, 0]);
    expect(json.chain[5].members[0]).toEqual({
      site: "bat-1",
      dispatch_status: "skipped_out_of_service",
      skip_reason: null,
      fcr_response_kw: null,
      before_kw: -100,
      delta_kw: null,
      capability_kw: null,
    });
  });

  test("causes add up to the totals and name the members affected most", () => {
    expect(text).toContain(
      `\
Uncovered at the start: 20.0 kW of 300.0 kW, by cause
  weather  20.000 kW  Weather: pv-1
  total    20.000 kW

Shortfall: 71.750 kWh of 300.000 kWh requested, by cause
  energy_limit    50.500 kWh  State of charge at its limit: bat-2 50.5 kWh
  out_of_service  20.000 kWh  Out of service: bat-1 18.0 kWh, pv-1
  weather          1.250 kWh  Weather: pv-1 1.3 kWh
  total           71.750 kWh
`,
    );
    expect(json.shortfall_causes[1]).toEqual({
      cause: "out_of_service",
      amount: 20,
      members: [
        { site: "bat-1", kwh: 18 },
        { site: "pv-1", kwh: null },
      ],
    });
  });

  test("times are in the zone of the scenario, in another one on request, and in UTC where no zone is known", () => {
    const linesIn = (scenario: object, timezone?: string): readonly string[] => {
      const files = { ...FAULTY_HOUR, "summary.json": summaryFile(scenario) };
      const { text: lines, json: found } = explainAward(writeReport(files), "A-1", { timezone });
      expect(found.chain).toEqual(json.chain);
      return lines.split("\n").filter((line) => /^A-1|storage empty/.test(line));
    };
    expect(linesIn({ timezone: "Asia/Tokyo" })).toEqual([
      "A-1: award of VPP east, product rr, 1 Apr 2026 19:00 to 20:00, times in Asia/Tokyo (UTC+09:00)",
      "  1 Apr 2026 19:30:00.250  bat-2: storage empty; its -150.0 kW are no longer delivered",
    ]);
    expect(linesIn({ timezone: "Asia/Tokyo" }, "America/New_York")[1]).toContain("  1 Apr 2026 06:30:00.250  bat-2");
    expect(linesIn({})).toEqual([
      "A-1: award of VPP east, product rr, 1 Apr 2026 10:00 to 11:00, times in UTC",
      "  1 Apr 2026 10:30:00.250  bat-2: storage empty; its -150.0 kW are no longer delivered",
    ]);
  });

  test("JSON Lines give the same explanation as CSV", () => {
    const tables = Object.entries(FAULTY_HOUR).map(([name, table]): [string, string] =>
      name.endsWith(".csv") ? [name.replace(".csv", ".jsonl"), asJsonLines(table)] : [name, table],
    );
    expect(explainAward(writeReport(Object.fromEntries(tables)), "A-1").text).toBe(text);
  });
});

describe("order within one instant", () => {
  const chainAt10 = (dispatch: string, events: string, award: AwardCells = {}): readonly string[] =>
    chainOf({
      "summary.json": summaryFile(),
      "awards.csv": awardsCsv(award),
      "dispatch.csv": dispatchCsv(dispatch),
      "events.csv": eventsCsv(events),
    })
      .filter((line) => line.startsWith("10:00:00"))
      .map((line) =>
        line
          .slice("10:00:00  ".length)
          .split(/[:;,] /, 2)
          .join(": "),
      );

  test("a fault begun after an instruction comes after it", () => {
    const dispatch = "10:00:00  bat-1  -300.000  dispatched  -  300.000";
    const events = `
      10:00:00  schedule_created  A-1    immediate
      10:00:00  outage_start      bat-1  scripted
    `;
    expect(chainAt10(dispatch, events, { kind: "instruction", sku: "" })).toEqual([
      "Sent as an immediate instruction",
      "Dispatched to 1 member: covered in full",
      "bat-1: goes out of service (scripted outage)",
    ]);
  });

  test("a fault begun before an instruction comes before it", () => {
    const dispatch = `
      10:00:00  bat-1         -  skipped_out_of_service  -        -
      10:00:00  bat-2  -300.000  dispatched              -  300.000
    `;
    const events = `
      10:00:00  outage_start      bat-1  scripted
      10:00:00  schedule_created  A-1    immediate
      10:00:00  link              bat-2  down
    `;
    expect(chainAt10(dispatch, events, { kind: "instruction", sku: "" })).toEqual([
      "bat-1: goes out of service (scripted outage)",
      "Sent as an immediate instruction",
      "Dispatched to 1 of 2 members: covered in full",
      "bat-2: unreachable",
    ]);
  });

  test("the status of its members places the start of a schedule, which has no row of its own", () => {
    const dispatch = `
      10:00:00  bat-1         -  skipped_out_of_service  -        -
      10:00:00  bat-2  -200.000  dispatched              -  200.000
      10:00:00  fac-1  -100.000  dispatched              -  100.000
    `;
    const events = `
      09:00:00  schedule_created  A-1    schedule
      10:00:00  outage_start      bat-1  scripted
      10:00:00  soc_bound         bat-2  full
      10:00:00  outage_start      bat-2  scripted
      10:00:00  outage_end        bat-1  scripted
      10:00:00  dr_event          fac-1  begins, 100.0 kW
    `;
    expect(chainAt10(dispatch, events)).toEqual([
      "bat-2: storage full",
      "bat-1: goes out of service (scripted outage)",
      "Dispatched to 2 of 3 members: covered in full",
      "bat-2: goes out of service (scripted outage)",
      "bat-1: back in service after 0 s",
      "fac-1: load reduction begins",
    ]);
  });

  test("a fault after a re-dispatch comes after it", () => {
    const dispatch = `
      09:50:00  bat-1  -150.000  dispatched              -  300.000
      09:50:00  bat-2  -150.000  dispatched              -  300.000
      10:00:00  bat-1         -  skipped_out_of_service  -        -
      10:00:00  bat-2  -300.000  dispatched              -  300.000
    `;
    const events = `
      09:59:30  outage_start  bat-1  scripted
      10:00:00  noticed       bat-1  out of service, A-1
      10:00:00  redispatch    A-1    0 kW uncovered
      10:00:00  outage_start  bat-2  scripted
    `;
    expect(chainAt10(dispatch, events, { start: "2026-04-01T09:50:00Z" })).toEqual([
      "bat-1: detected as out of service 30 s later",
      "Re-dispatched: covered in full",
      "bat-2: goes out of service (scripted outage)",
    ]);
  });
});

test("set-points that exceed the request after a refused re-dispatch are stated as such", () => {
  const files = {
    "summary.json": summaryFile(),
    "awards.csv": awardsCsv({}),
    "dispatch.csv": dispatchCsv(`
      10:00:00  bat-1  -100.000  dispatched              -  300.000
      10:00:00  fac-1  -200.000  dispatched              -  300.000
      10:20:00  bat-1  -120.000  dispatched              -  300.000
    `),
    "events.csv": eventsCsv(`
      10:20:00  redispatch  A-1  20 kW uncovered
      10:30:00  redispatch  A-1  20 kW uncovered
    `),
  };
  expect(chainOf(files).slice(1, 3)).toEqual([
    "10:20:00  Re-dispatched: 20.0 kW more than requested",
    "10:30:00  Re-dispatched: 20.0 kW more than requested",
  ]);
});

describe("skipped members", () => {
  const skipped = (status: string, reason: string, history = ""): ReportFiles => ({
    "summary.json": summaryFile(),
    "awards.csv": awardsCsv({ shortfall_kwh: "150.000", shortfall_refused_kwh: "150.000" }),
    "dispatch.csv": dispatchCsv(`
      10:00:00  bat-1  -150.000  dispatched  -          200.000
      10:00:00  fac-1         -  ${status}   ${reason}        -
    `),
    "events.csv": eventsCsv(history),
  });

  test.each([
    ["skipped_out_of_service", "-", "skipped, out of service: fac-1"],
    ["skipped_weight_zero", "-", "skipped, weight 0: fac-1"],
    ["skipped_baseline_missing", "-", "skipped, no baseline: fac-1"],
    ["skipped_incompatible", "-", "skipped, cannot serve this product or direction: fac-1"],
    ["skipped_incompatible", "sku_not_marketable", "site is not admitted to this product (sku_not_marketable): fac-1"],
    ["failed", "delivery_failed", "not delivered, the instruction did not arrive: fac-1"],
  ])("%s, %s", (status, reason, words) => {
    const { text } = explainAward(writeReport(skipped(status, reason)), "A-1");
    expect(text.replaceAll(/\s+/g, " ")).toContain(words);
  });

  test.each([
    [
      "skipped_out_of_service",
      "-",
      "08:00:00 outage_start fac-1 scripted",
      "fac-1: goes out of service (scripted outage); still out of service at the first dispatch",
    ],
    ["skipped_incompatible", "dr_cooldown_active", "08:00:00 dr_event fac-1 ends", "fac-1: load reduction ends"],
    ["skipped_weight_zero", "-", "08:00:00 weight fac-1 east: 0", "fac-1: weight set, east: 0"],
    ["failed", "delivery_failed", "08:00:00 link fac-1 down", "fac-1: unreachable, link down"],
  ])("%s, %s: an earlier event explains it", (status, reason, history, words) => {
    expect(chainOf(skipped(status, reason, history))[0]).toBe(`08:00:00  ${words}`);
  });

  test("conditions that ended before the start are omitted", () => {
    const history = `
      07:00:00  outage_start    fac-1  scripted
      07:30:00  output_control  bat-1  50 %, fit
      08:00:00  outage_end      fac-1  scripted
      08:30:00  output_control  bat-1  lifted
      08:40:00  soc_bound       bat-1  empty
    `;
    expect(chainOf(skipped("skipped_weight_zero", "-", history))).toHaveLength(2);
  });
});

describe("ends of awards", () => {
  const chainAfterDispatch = (award: AwardCells, lines = ""): readonly string[] =>
    chainOf({
      "summary.json": summaryFile(),
      "awards.csv": awardsCsv(award),
      "dispatch.csv": dispatchCsv("10:00:00 bat-1 -300.000 dispatched - 300.000"),
      "events.csv": eventsCsv(`09:00:00 schedule_created A-1 schedule\n${lines}`),
    }).slice(2);

  test.each<[string, AwardCells, string]>([
    ["completed", {}, "11:00:00  Ends after 1 h, as scheduled"],
    [
      "running",
      { state: "running", end: "2026-04-03T00:00:00Z" },
      "00:00:00  Still running after 14 h, at the end of the run",
    ],
    [
      "overwritten",
      { state: "overwritten", overwritten_by: "A-9", executed_minutes: "30.500" },
      "10:30:30  Ends after 30 min 30 s: replaced by A-9",
    ],
    ["deleted", { state: "deleted", executed_minutes: "15.000" }, "10:15:00  Ends after 15 min: deleted"],
  ])("%s", (_, award, line) => {
    expect(chainAfterDispatch(award)).toEqual([line]);
  });

  test("events at or after the end do not belong to the award", () => {
    const award = { state: "overwritten", overwritten_by: "A-9", executed_minutes: "30.000" };
    const late = "10:29:59 soc_bound bat-1 empty\n10:30:00 soc_bound bat-1 empty\n10:40:00 link bat-1 down";
    expect(chainAfterDispatch(award, late).map((line) => line.slice(0, 8))).toEqual(["10:29:59", "10:30:00"]);
    expect(chainAfterDispatch(award, late)[1]).toContain("replaced by A-9");
  });
});

describe("awards that never ran", () => {
  const neverRun = (award: AwardCells, lines: string): ReportFiles => ({
    "summary.json": summaryFile(),
    "awards.csv": awardsCsv({ executed_minutes: "0.000", ...award }),
    "dispatch.csv": dispatchCsv(""),
    "events.csv": eventsCsv(lines),
    "sites.csv": "site,vpp\nbat-1,east\nbat-2,west\nbat-3,east\n",
  });

  test("a refusal has its reason, and the members out of service if no member was dispatchable", () => {
    const files = neverRun(
      {
        state: "refused",
        error_type: "no_dispatchable_members",
        uncovered_kw: "-300.000",
        uncovered_refused_kw: "300.000",
        shortfall_kwh: "300.000",
        shortfall_refused_kwh: "300.000",
      },
      `
        08:00:00  outage_start  bat-1  scripted
        08:10:00  outage_start  bat-2  scripted
        08:20:00  outage_start  bat-3  scripted
        08:30:00  outage_end    bat-3  scripted
        09:00:00  refusal       A-1    no_dispatchable_members
        10:00:00  outage_end    bat-1  scripted
      `,
    );
    expect(chainOf(files)).toEqual([
      "08:00:00  bat-1: goes out of service (scripted outage); still out of service at the refusal",
      "09:00:00  Refused because no dispatchable member was in service (no_dispatchable_members)",
    ]);
    expect(explainAward(writeReport(files), "A-1").text).toContain("  refused  300.000 kWh  Refused\n");
  });

  test("an instruction without effect names the running award", () => {
    const files = neverRun(
      { kind: "instruction", sku: "", state: "overwritten", overwritten_by: "A-7" },
      "10:00:00 refusal A-1 without effect: A-7 is running",
    );
    expect(chainOf(files)).toEqual(["10:00:00  Remains without effect: A-7 is running"]);
  });

  test("an award after the end of the run has only its registration", () => {
    const files = neverRun(
      { state: "pending", uncovered_kw: "", shortfall_kwh: "" },
      "09:30:00 schedule_created A-1 schedule\n10:00:00 soc_bound bat-1 empty",
    );
    expect(chainOf(files)).toEqual(["09:30:00  Registered 30 min before its start"]);
  });
});

describe("frequency response", () => {
  const FCR: ReportFiles = {
    "summary.json": summaryFile(),
    "awards.csv": awardsCsv({
      sku: "fcr",
      requested_kw: "300.000",
      uncovered_kw: "50.000",
      uncovered_energy_limit_kw: "50.000",
      ...{ requested_kwh: "", delivered_kwh: "", shortfall_kwh: "", excess_kwh: "" },
      ...{ fcr_response_kw: "300.000", fcr_uncovered_kw: "50.000", fcr_uncovered_causes_kw: "energy_limit 50.000" },
      ...{ fcr_activated_up_kwh: "12.345", fcr_activated_down_kwh: "7.655", fcr_mean_response_kw: "20.000" },
      fcr_minutes_at_bound: "6.500",
    }),
    "dispatch.csv": dispatchCsv(`
      10:00:00  bat-1  -  dispatched            -  -  200.000  500.000
      10:00:00  bat-2  -  dispatched            -  -   50.000   50.000
      10:00:00  pv-1   -  skipped_incompatible  -  -        -        -
      10:11:00  bat-1  -  dispatched            -  -  250.000  500.000
      10:11:00  bat-2  -  skipped_out_of_service  -  -      -        -
    `),
    "events.csv": eventsCsv(`
      09:00:00  fcr_fault     bat-1  on
      09:00:00  schedule_created  A-1  schedule
      10:05:00  fcr_fault     bat-1  off
      10:10:30  outage_start  bat-2  scripted
      10:11:00  noticed       bat-2  out of service, A-1
      10:20:00  soc_bound     bat-1  full
    `),
  };

  test("FCR capacity is explained like a change of power", () => {
    const { json, text } = explainAward(writeReport(FCR), "A-1");
    expect(json.chain.map(({ kind, uncovered_kw }) => [kind, uncovered_kw])).toEqual([
      ["fcr_fault", null],
      ["schedule_created", null],
      ["dispatch", 50],
      ["fcr_fault", null],
      ["outage_start", null],
      ["noticed", null],
      ["redispatch", 50],
      ["soc_bound", null],
      ["end", null],
    ]);
    expect(linesOf(text)).toContain("dispatched: bat-1 200.0 kW; bat-2 50.0 kW, at its capability");
    expect(linesOf(text)).toContain("increased: bat-1 200.0 kW -> 250.0 kW (50.0 kW more)");
    expect(text).toContain("bat-1: storage full; its 250.0 kW are no longer delivered");
    expect(text).toContain("Uncovered at the start: 50.0 kW of 300.0 kW, by cause");
    expect(text).toContain("energy_limit  50.000 kW");
    expect(text.replace(/\s+/g, " ")).toContain(
      "Frequency response: 12.345 kWh upward and 7.655 kWh downward activated energy, mean response 20.0 kW; 6.5 minutes",
    );
    expect(json.fcr).toEqual({
      response_kw: 300,
      uncovered_kw: 50,
      uncovered_causes: [],
      activated_up_kwh: 12.345,
      activated_down_kwh: 7.655,
      minutes_at_bound: 6.5,
      mean_response_kw: 20,
    });
  });

  const COMPOUND: ReportFiles = {
    "summary.json": summaryFile(),
    "awards.csv": awardsCsv({
      sku: "compound",
      requested_kw: "-150.000",
      uncovered_kw: "-25.000",
      uncovered_weather_kw: "25.000",
      ...{ fcr_response_kw: "120.000", fcr_uncovered_kw: "20.000" },
      fcr_uncovered_causes_kw: "incompatible 12.500; energy_limit 7.500",
    }),
    "dispatch.csv": dispatchCsv(`
      10:00:00  bat-1   -75.000  dispatched  -  100.000  100.000  100.000
      10:00:00  pv-1    -50.000  dispatched  -   50.000        -        -
      10:00:00  load-1        -  dispatched  -        -    0.000    0.000
    `),
    "events.csv": eventsCsv("09:00:00 schedule_created A-1 schedule"),
  };

  test("a compound has both of its parts, with the causes of each", () => {
    const { json, text } = explainAward(writeReport(COMPOUND), "A-1");
    const unwrapped = text.replace(/\s+/g, " ");
    expect(unwrapped).toContain("Dispatched to 3 members: -25.0 kW uncovered; FCR capacity 20.0 kW uncovered");
    expect(unwrapped).toContain(
      "dispatched: bat-1 -75.0 kW with 100.0 kW of FCR capacity; pv-1 -50.0 kW, at its capability; load-1 with 0.0 kW of FCR capacity",
    );
    expect(text).toContain("Uncovered FCR capacity at the start: 20.0 kW of 120.0 kW, by cause");
    expect(json.fcr?.uncovered_causes).toEqual([
      { cause: "incompatible", amount: 12.5, members: [] },
      { cause: "energy_limit", amount: 7.5, members: [] },
    ]);
    expect(json.chain[1].members[0]).toMatchObject({ delta_kw: -75, fcr_response_kw: 100 });
  });

  test("of several components the one at its bound is named, with the direction that it limits", () => {
    const files = (kw: string): ReportFiles => ({
      "summary.json": FAULTY_HOUR["summary.json"],
      "awards.csv": awardsCsv({ requested_kw: kw }),
      "dispatch.csv": dispatchCsv("10:00:00  bat-1  100.000  dispatched  -  100.000"),
      "events.csv": eventsCsv(`
        09:30:00  soc_bound  bat-1  cell: empty
        10:30:00  soc_bound  bat-1  cell: full
      `),
    });
    expect(chainOf(files("100.000")).at(-2)).toBe(
      "10:30:00  bat-1: storage cell full; it no longer contributes to the 100.0 kW of the site",
    );
    expect(chainOf(files("-100.000")).at(-2)).toBe("10:30:00  bat-1: storage cell full, no limit in this direction");
  });
});
