// A host that holds the clock and is called at some instants leads the world where a scenario with the same calls as
// events leads it: facts, tables and state are the same to the last bit.
import { expect, test } from "vitest";
import { RunRecorder } from "../../src/accounting/recorders/runRecorder.ts";
import { answerEvent, answerRequest } from "../../src/api/endpoints/answerRequest.ts";
import { hexId } from "../../src/base/ids.ts";
import { SKUS } from "../../src/base/sku.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { FaultEvent, RequestEvent, ScenarioEvent, WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { worldDigest } from "../../src/live/session/worldDigest.ts";
import { RowCollector } from "../accounting/tableRows.ts";
import { runs, seedsFrom } from "../depth.ts";
import { T0 } from "../reference/stepper/build.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";

type SettledEvent = ScenarioEvent & { readonly settled: true };

class SeededChooser {
  private n = 0;
  private readonly seed: string;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** 0 <= x < 1. */
  fraction(): number {
    return Number.parseInt(hexId(`${this.seed}:${this.n++}`).slice(0, 8), 16) / 2 ** 32;
  }

  int = (low: number, high: number): number => low + Math.floor(this.fraction() * (high - low + 1));
  pick = <T>(choices: readonly T[]): T => choices[this.int(0, choices.length - 1)];
  chance = (p: number): boolean => this.fraction() < p;
}

const iso = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** Instants at which something happens anyway are called at too, and some instants twice. */
function randomInstants(spec: WorldSpec, dice: SeededChooser): number[] {
  const busy = [
    ...spec.awards.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...spec.events.map(({ atMs }) => atMs),
  ];
  const instants = Array.from({ length: 14 }, () => {
    if (dice.chance(0.3) && busy.length > 0) return dice.pick(busy);
    const atMs = T0 + dice.int(0, spec.endMs - T0 - 1);
    return dice.chance(0.3) ? Math.floor(atMs / 60_000) * 60_000 : atMs;
  });
  const inside = [...instants, ...instants.slice(0, 4)].filter((atMs) => T0 <= atMs && atMs < spec.endMs);
  return inside.sort((a, b) => a - b);
}

function randomCommands(seed: number, spec: WorldSpec): SettledEvent[] {
  const dice = new SeededChooser(`deeds ${seed}`);
  let begun = spec.events.filter((event) => "untilMs" in event).length;
  return randomInstants(spec, dice).map((atMs): SettledEvent => {
    const base = { atMs, settled: true } as const;
    const site = dice.int(0, spec.sites.length - 1);
    if (dice.chance(0.15)) return { ...base, kind: "fault_end", faultId: `fault-${dice.int(1, begun + 1)}` };
    if (dice.chance(0.25)) {
      begun++;
      const untilMs = dice.chance(0.4) ? Number.POSITIVE_INFINITY : atMs + dice.int(1, 90) * 60_000;
      if (dice.chance(0.3))
        return { ...base, kind: "output_control", site, untilMs, limitPct: dice.int(0, 90), reason: "manual" };
      return { ...base, kind: dice.pick(["outage", "maintenance", "warning", "link_down"] as const), site, untilMs };
    }
    return { ...base, ...randomCall(spec, atMs, site, dice) };
  });
}

function randomCall(spec: WorldSpec, atMs: number, site: number, dice: SeededChooser): RequestEvent {
  const vpp = dice.pick(spec.vpps);
  const head = { kind: "request", query: {}, method: "POST" } as const;
  const ofVpp = { ...head, api: "vpp-v1", id: vpp.vppId } as const;
  const { emsId } = spec.sites[site];
  const control = "/control/active_power";
  const roll = dice.fraction();
  const startMs = Math.ceil(atMs / 1000) * 1000 + dice.int(0, 100) * 60_000 + dice.pick([0, 0, 30_000, 60_000]);
  const period = { start_time: iso(startMs), end_time: iso(startMs + dice.int(1, 120) * 60_000) };
  const member_baselines = vpp.members
    .filter(() => dice.chance(0.97))
    .map((member) => ({ ems_id: spec.sites[member.site].emsId, baseline_kw: dice.int(-100, 100) }));
  const sku = dice.pick([null, "frr", "rr", ...SKUS]);
  const amount = sku === "fcr" ? { fcr_response_kw: dice.int(0, 300) } : { delta_kw: dice.int(-3000, 2000) / 10 };
  if (roll < 0.3)
    return { ...ofVpp, path: control, body: { type: "schedule", sku, ...amount, ...period, member_baselines } };
  if (roll < 0.45)
    return {
      ...ofVpp,
      path: control,
      body: { type: "immediate", sku, ...amount, duration_minutes: dice.int(1, 90), member_baselines },
    };
  if (roll < 0.55)
    return {
      ...ofVpp,
      method: "DELETE",
      path: `${control}/schedules`,
      query: { schedule_id: hexId(`${spec.seed}:${vpp.vppId}:schedule:${dice.int(0, 9)}`) },
      body: undefined,
    };
  if (roll < 0.62) return { ...ofVpp, path: `/members/${emsId}`, body: { allocation_weight: dice.pick([0, 50, 300]) } };
  if (roll < 0.68) return { ...ofVpp, method: "DELETE", path: `/members/${emsId}`, body: undefined };
  if (roll < 0.74)
    return {
      ...ofVpp,
      path: "/members",
      body: { ems_id: emsId, resource_type: dice.pick(["battery", "generator", "consumer"]) },
    };
  const ofSite = { ...head, api: "site-v2", id: emsId } as const;
  if (roll < 0.84) return { ...ofSite, path: control, body: { type: "schedule", sku, ...amount, ...period } };
  if (roll < 0.9)
    return {
      ...ofSite,
      path: control,
      body: { type: "immediate", delta_kw: dice.int(-100, 100), duration_minutes: dice.int(1, 60) },
    };
  if (roll < 0.94) {
    const slotMs = Math.floor(atMs / 1_800_000) * 1_800_000 + dice.int(-1, 6) * 1_800_000;
    const slot = { start_time: iso(slotMs), end_time: iso(slotMs + 1_800_000), baseline_kw: dice.int(0, 80) };
    return { ...ofSite, path: "/baseline", body: { baselines: [slot] } };
  }
  if (roll < 0.95) {
    const body = { freq_ref: 50, up_deadband: 0.02, low_deadband: 0.01, up_droop: dice.int(1, 9), low_droop: 4 };
    return { ...head, api: "site-v1", id: emsId, path: "/fcr/config", body };
  }
  if (roll < 0.97)
    return {
      ...ofSite,
      method: "DELETE",
      path: `${control}/schedules`,
      query: { schedule_id: hexId(`${spec.seed}:${emsId}:direct:${dice.int(0, 2)}`) },
      body: undefined,
    };
  return {
    ...head,
    api: "site-v1",
    id: emsId,
    path: "/control/power",
    body: { type: "immediate", power_kw: dice.int(-80, 80), duration_minutes: 20 },
  };
}

/** Runs a world by `lead` with every table kept. */
function recordedFacts(spec: WorldSpec, lead: (world: World) => void) {
  const [energy, vppEnergy, power, dispatch, events] = Array.from({ length: 5 }, () => new RowCollector());
  const sinks = { energy, vppEnergy, power, dispatch, events };
  const recorder = new RunRecorder(spec, { intervalMs: 1_800_000, powerIntervalMs: 60_000, ...sinks });
  const world = new World(spec, recorder, { answer: answerEvent });
  lead(world);
  const state = worldDigest(world);
  // What a report warns of beforehand is what its file plans beforehand.
  const record = { ...recorder.finish(), warnings: [] };
  return {
    state,
    record,
    energy: energy.rows,
    vppEnergy: vppEnergy.rows,
    power: power.rows,
    dispatch: dispatch.rows,
    events: events.rows,
  };
}

function runCommands(world: World, deed: SettledEvent): void {
  if (deed.kind === "request") answerRequest({ world }, deed);
  else if (deed.kind === "fault_end") reportMissing(world, deed.faultId);
  else world.faults.begin(deed as FaultEvent);
}

/** A live host answers that there is no such fault; a scenario's event leaves a row. */
function reportMissing(world: World, faultId: string): void {
  if (world.faults.end(faultId) === null) world.reportRefusedRequest(faultId, "no such fault lasts");
}

const SEEDS = seedsFrom(4000, runs(40, 10));
const accepted = new Map<string, number>();

test.each(SEEDS)("world of seed %i", (seed) => {
  const spec = randomWorld(seed);
  const deeds = randomCommands(seed, spec);
  const live = recordedFacts(spec, (world) => {
    for (const deed of deeds) {
      world.runThrough(deed.atMs);
      world.runCommand(() => runCommands(world, deed));
    }
    world.runThrough(spec.endMs);
  });
  const filed = recordedFacts({ ...spec, events: [...spec.events, ...deeds] }, (world) => world.runBefore(spec.endMs));
  expect(live).toEqual(filed);
  const refusedCount = filed.events.filter(({ kind }) => kind === "request_refused").length;
  accepted.set("deeds", (accepted.get("deeds") ?? 0) + deeds.length);
  accepted.set("refused", (accepted.get("refused") ?? 0) + refusedCount);
});

test("about half of the drawn commands were accepted", () => {
  expect(accepted.get("deeds")).toBeGreaterThan(10 * SEEDS.length);
  expect(accepted.get("refused")).toBeGreaterThan(1.25 * SEEDS.length);
  expect(accepted.get("refused")).toBeLessThan(0.7 * (accepted.get("deeds") ?? 0));
});
