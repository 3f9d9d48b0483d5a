import { describe, expect, test } from "vitest";
import { dispatchPreview } from "../../src/api/http/sandbox/reads/dispatchPreview.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { tryControl } from "../../src/live/session/record/dispatchPreview.ts";
import { forgetUnnoticed } from "../../src/live/session/record/foreseenWorld.ts";
import type { DispatchPreview } from "../../src/live/session/sandboxReads.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { openTinySession } from "./openTinySession.ts";

/** An hour of the day of the fleet. */
const at = (time: string): string => `2026-05-20T${time}:00Z`;

/** A battery with 40 kWh above its lower bound, and a PV plant that sends 80 kW until 03:00 and 5 kW after it. */
const openFleet = async (
  nowTime: string,
  lists = "",
  edit: (yaml: string) => string = (yaml) => yaml,
): Promise<Session> => {
  const yaml = edit(`
version: 1
name: preview
start: ${at("00:00")}
end: ${at("12:00")}
seed: 1
series: {sun: {file: sun.csv}}
sites:
  - name: battery
    components:
      - {component_id: b, component_type: battery, rated_cap: 100, import_pwr_max: 100, export_pwr_max: 100, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, discharge_efficiency: 1}}
  - name: roof
    components:
      - {component_id: pv, component_type: generator, generator_kind: pv, rated_output_kw: 100, pv_capacity_kw: 100, model: {generation: sun.kw}}
    baseline: {method: zero}
vpps:
  - name: all
    members:
      - {site: battery, resource_type: battery, allocation_weight: 100}
      - {site: roof, resource_type: generator, allocation_weight: 100}
${lists}
report: {formats: [csv]}
`);
  const sun = ["00:00,80", "03:00,5", "06:00,5", "09:00,5", "12:00,5"]
    .map((row) => row.replace(/^[^,]*/, at))
    .join("\n");
  const files = new Map([
    ["/fleet/scenario.yaml", yaml],
    ["/fleet/sun.csv", `timestamp,kw\n${sun}\n`],
  ]);
  const session = await openTinySession({}, readServedScenario("/fleet/scenario.yaml", memoryFiles(files)));
  await session.advance(() => Date.parse(at(nowTime)));
  return session;
};

/** A reserve of 50 kW from 04:00 to 05:00, or the given one. */
function preview(
  { hosted }: Session,
  { kw = -50, from = at("04:00"), to = at("05:00") }: { kw?: number; from?: string; to?: string } = {},
): DispatchPreview {
  const { world, copier, record } = hosted;
  const trial = { sku: "rr", powerKw: kw, startMs: Date.parse(from), endMs: Date.parse(to) };
  const copy = copier.copy();
  record!.notices.noticeThrough(world.nowMs);
  forgetUnnoticed(copy, record!.notices);
  return dispatchPreview(trial, tryControl(world, copy, world.vpps[0], trial), record!.names);
}

const shares = ({ allocation, uncovered_kw }: DispatchPreview) => [
  ...allocation.map(({ site, kw, cause }) => [site, kw, cause]),
  ["uncovered", uncovered_kw],
];

describe("a preview shows the members as they will be at the start", () => {
  test("a factory that rests refuses, says until when, and its share is uncovered", async () => {
    const session = await openTinySession({}, readServedScenario("scenarios/drills/fleets/works.yaml"));
    await session.advance(() => Date.parse("2026-05-20T04:40:00Z"));
    const found = preview(session, { kw: -500, from: "2026-05-20T05:30:00Z", to: "2026-05-20T07:00:00Z" });
    // The award until 14:00 in Tokyo, then 90 minutes of rest.
    expect(found.allocation.find(({ site }) => site === "factory")).toMatchObject({
      kw: 0,
      refusal: { cause: "dr_cooldown_active", available_from: "2026-05-20T06:30:00Z" },
    });
    expect(found.uncovered_kw).toBe(192.3);
    await session.close();
  });

  test("an award before it empties a battery", async () => {
    const session = await openFleet(
      "00:30",
      `awards:\n  - {award_id: first, vpp: all, sku: rr, start: ${at("01:00")}, end: ${at("02:00")}, delta_kw: -80}`,
    );
    // 40 of the 80 kW are the battery's, for an hour.
    expect(shares(preview(session))).toEqual([
      ["battery", 0, "energy_limit"],
      ["roof", -25, null],
      ["uncovered", 25],
    ]);
    // An instruction that replaces the award leaves the energy in the battery.
    expect(shares(preview(session, { from: at("01:00"), to: at("02:00") }))).toEqual([
      ["battery", -25, null],
      ["roof", -25, null],
      ["uncovered", 0],
    ]);
    await session.close();
  });

  test.each([
    ["an outage that comes", `events:\n  - {at: ${at("03:30")}, kind: outage, site: battery, duration: PT2H}`],
    [
      "an award that the VPP receives later",
      `awards:\n  - {award_id: later, vpp: all, sku: rr, start: ${at("02:00")}, end: ${at("03:00")}, registered_at: ${at("01:00")}, delta_kw: -80}`,
    ],
    ["the sun as it will be", ""],
  ])("and not %s", async (_, lists) => {
    const session = await openFleet("00:30", lists);
    expect(shares(preview(session))).toEqual([
      ["battery", -25, null],
      ["roof", -25, null],
      ["uncovered", 0],
    ]);
    await session.close();
  });

  test("and not what a baseline with errors hides: the sun is expected as the plant reports it", async () => {
    // The plant will send 5 kW. Its slots are -3 and 5 kW, so that 3 and no kW are expected: 0 and 5 kW below the slot.
    for (const [bias, kw] of [
      [2, 0],
      [10, 5],
    ]) {
      const perfect = `baseline: {method: perfect, error: {bias_kw: ${bias}}}`;
      const session = await openFleet("00:30", "", (yaml) => yaml.replace("baseline: {method: zero}", perfect));
      const { allocation } = preview(session, { kw: -100 });
      expect(allocation.find(({ site }) => site === "roof")?.headroom_kw).toBe(kw);
      await session.close();
    }
  });

  test("an outage that lasts counts, and its end is not known", async () => {
    const session = await openFleet(
      "00:30",
      `events:\n  - {at: ${at("00:20")}, kind: outage, site: battery, duration: PT1H}`,
    );
    expect(shares(preview(session))).toEqual([
      ["battery", 0, "out_of_service"],
      ["roof", -50, null],
      ["uncovered", 0],
    ]);
    await session.close();
  });

  test("each of what a preview may look at is in one of two lists", async () => {
    const session = await openFleet("00:30");
    const started = preview(session);
    const refused = preview(session, { kw: 0.001, from: at("04:00"), to: at("03:59") });
    const named = (list: DispatchPreview["checked"]): string[] => list.map(({ what }) => what);
    expect(named(started.checked)).toEqual([
      "cooldown",
      "minimum_duration",
      "minimum_reduction",
      "present_award_cut",
      "energy",
      "power_limit",
      "output_control",
    ]);
    expect(named(started.not_checked)).toEqual(["weather", "load", "outages", "other_commands", "frequency"]);
    expect(refused.refusal).not.toBeNull();
    expect([refused.checked.length, refused.not_checked.length]).toEqual([0, 12]);
    await session.close();
  });
});
