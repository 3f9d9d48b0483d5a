import { describe, expect, test } from "vitest";
import type {
  AwardBalance,
  InjectCondition,
  PowerAward,
  SandboxActionRecord,
} from "../../src/api/client/sandboxTypes.ts";
import { ActionLog } from "../../src/dashboard/data/actionLog.ts";
import {
  type MalfunctionDraft,
  malfunctionRequest,
  preparedRequest,
} from "../../src/dashboard/pages/instructor/malfunction.ts";
import { conditionText } from "../../src/dashboard/pages/instructor/useConditionText.ts";
import { isOfTrainee } from "../../src/dashboard/pages/instructor/useTraineeActions.ts";
import { scheduleRows, type VppSchedule } from "../../src/dashboard/pages/schedules/scheduleRows.ts";
import { textOf } from "../../src/texts/catalogue.ts";

const DRAFT: MalfunctionDraft = {
  kind: "outage",
  site: "factory",
  when: "now",
  atMs: null,
  awardId: "peak",
  limit: 90,
  socSite: "battery",
  forMinutes: null,
  minutes: 20,
  limitPct: 40,
  reason: "other",
  afterMinutes: 15,
  rampInMinutes: 5,
  rampOutMinutes: null,
  sensor: "soc",
  offset: -10,
};
const FAULT = { kind: "outage", site: "factory", duration: "PT1200S" };

describe("a malfunction", () => {
  test.each([
    ["derate", { limit_pct: 40, ramp_in: "PT300S" }],
    ["sensor_offset", { sensor: "soc", offset: -10 }],
    ["sensor_stuck", { sensor: "soc" }],
    ["irradiance_shortfall", { limit_pct: 40 }],
    ["output_control", { limit_pct: 40, reason: "other" }],
  ] as const)("of kind %s has the keys of its kind", (kind, keys) => {
    expect(malfunctionRequest({ ...DRAFT, kind }, "east", 0).body).toEqual({ ...FAULT, kind, ...keys });
  });

  test("after a time begins then; a prepared one counts from its arming", () => {
    const draft = { ...DRAFT, when: "after" } as const;
    const nowMs = Date.parse("2026-05-20T10:00:00Z");
    expect(malfunctionRequest(draft, "east", nowMs).body).toEqual({ ...FAULT, at: "2026-05-20T10:15:00Z" });
    expect(preparedRequest(draft, "east")).toEqual({ ...FAULT, after: "PT900S" });
  });

  test("that begins now is a fault", () => {
    expect(malfunctionRequest(DRAFT, "east", 0)).toEqual({ path: "/sandbox/faults", body: FAULT });
  });

  test.each([
    [{ when: "award" }, { award_in_force: "peak" }],
    [{ when: "delivered_above" }, { delivered_share_pct: { vpp: "east", above: 90 } }],
    [{ when: "delivered_below" }, { delivered_share_pct: { vpp: "east", below: 90 } }],
    [{ when: "uncovered_above" }, { uncovered_kw: { vpp: "east", above: 90 } }],
    [
      { when: "soc_below", forMinutes: 2 },
      { soc_pct: { site: "battery", below: 90 }, for: "PT120S" },
    ],
  ] as const)("%o begins when %o holds", (change, when) => {
    const request = malfunctionRequest({ ...DRAFT, ...change }, "east", 0);
    expect(request).toEqual({ path: "/sandbox/injects", body: { ...FAULT, when } });
  });
});

describe("a condition in words", () => {
  const time = (iso: string) => iso.slice(11, 16);
  test.each<[InjectCondition, string, string]>([
    [{ award_in_force: "peak", for: "PT1800S" }, "peak in force for 30\u00a0min", "peak の実行中、30分継続"],
    [{ owner_call: "factory" }, "owner of factory called", "factory の所有者に連絡済"],
    [{ time: "2026-05-20T09:30:00Z" }, "from 09:30", "09:30 から"],
    [{ command: { path: "/control", outcome: "refused" } }, "a command /control refused", "コマンド /control が拒否"],
    [{ soc_pct: { site: "b", below: 5 } }, "SOC of b below 5 %", "b の充電率が 5 % 未満"],
    [{ weight: { site: "b", above: 1, below: 5 } }, "weight of b above 1 and below 5", "b の配分比が 1 超かつ 5 未満"],
    [{ uncovered_kw: { above: 100 } }, "requested less delivered above 100 kW", "要求量と供出量の差が 100 kW 超"],
    [{ delivered_share_pct: { below: 90 } }, "delivered below 90 % of the request", "供出率が 90 % 未満"],
  ])("%o", (condition, english, japanese) => {
    expect(conditionText(condition, (key, values) => textOf("en", key, values), time)).toBe(english);
    expect(conditionText(condition, (key, values) => textOf("ja", key, values), time)).toBe(japanese);
  });
});

test("the trainee's actions leave out the instructor's clock and backtracks", () => {
  const action = (kind: string, data: SandboxActionRecord["data"] = {}): SandboxActionRecord => ({
    seq: 1,
    at: "2026-05-20T00:00:00Z",
    kind,
    abandoned: false,
    text: "",
    data,
  });
  const all = [
    action("clock", { by: "instructor" }),
    action("clock", { by: "trainee" }),
    action("restore", { to: "opening" }),
    action("command"),
    action("acknowledged"),
  ];
  expect(all.filter(isOfTrainee)).toEqual([all[1], all[3], all[4]]);
});

test("after a return the known actions are read again, because some of them are abandoned", async () => {
  const action = (seq: number, kind: string, abandoned: boolean): SandboxActionRecord => ({
    seq,
    at: "2026-05-20T10:00:00Z",
    kind,
    abandoned,
    text: "",
    data: {},
  });
  let session = [action(1, "command", false), action(2, "command", false)];
  const log = new ActionLog(async (after) => ({
    actions: session.filter(({ seq }) => after < seq).slice(0, 2),
    last_seq: session.length,
  }));
  expect(await log.load()).toEqual(session);
  session = [action(1, "command", false), action(2, "command", true), action(3, "restore", false)];
  expect(await log.load()).toEqual(session);
});

test("a schedule in force shows the power that is uncovered now, another one that of its dispatch", () => {
  const scheduleOf = (id: string, start: string) =>
    ({
      schedule_id: id,
      sku: "frr",
      delta_kw: -1900,
      fcr_response_kw: null,
      start_time: start,
      end_time: "2026-05-20T12:00:00Z",
      created_at: start,
      uncovered_kw: 0,
      members: [],
    }) as unknown as VppSchedule;
  const schedules = [scheduleOf("a", "2026-05-20T07:00:00Z"), scheduleOf("b", "2026-05-20T11:00:00Z")];
  const awardOf = (award_id: string, name: string, starts_at: string) =>
    ({ award_id, name, sku: "frr", starts_at, ends_at: "2026-05-20T12:00:00Z" }) as PowerAward;
  const awards = [
    awardOf("evening-peak", "evening-peak", "2026-05-20T07:00:00Z"),
    awardOf("c9bddde462e14dd20e7604a56ca4c338", "FRR 20:00–21:00", "2026-05-20T11:00:00Z"),
  ];
  const inForce = [
    { award_id: "evening-peak", name: "evening-peak", schedule_id: "a", uncovered_kw: 231.3 } as AwardBalance,
    {
      award_id: "0".repeat(32),
      name: "Immediate 17:00–18:00",
      schedule_id: null,
      starts_at: "2026-05-20T08:00:00Z",
      uncovered_kw: 1,
    } as AwardBalance,
  ];
  const rows = scheduleRows(schedules, awards, inForce, Date.parse("2026-05-20T08:00:00Z"));
  expect(rows.map(({ id, uncoveredKw }) => [id, uncoveredKw])).toEqual([
    ["a", 231.3],
    ["0".repeat(32), 1],
    ["b", 0],
  ]);
  expect(rows.map(({ name, isOwn }) => [name, isOwn])).toEqual([
    ["evening-peak", false],
    ["Immediate 17:00–18:00", true],
    ["FRR 20:00–21:00", true],
  ]);
});
