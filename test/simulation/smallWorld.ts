// Tiny worlds in a few words, and what became of them in a few words: the builders of the stepper plus short notations.

import type { RunRecord } from "../../src/accounting/runRecord.ts";
import type { AwardRow } from "../../src/accounting/settlement/awardRows.ts";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import type { RunOptions } from "../../src/accounting/simulationRun.ts";
import type { SiteRow } from "../../src/accounting/siteRow.ts";
import type { Sku } from "../../src/base/sku.ts";
import type { ScenarioEvent, WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { OutputControlReason } from "../../src/engine/site/siteSnapshot.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import { type Row, RowCollector } from "../accounting/tableRows.ts";
import { at, award, battery, instruction, site, vpp, world } from "../reference/stepper/build.ts";
import { runWorld } from "../runWorld.ts";

export {
  at,
  award,
  battery,
  consumer,
  evenSeries,
  flat,
  instruction,
  pumped,
  pv,
  site,
  T0,
  thermal,
  vpp,
  world,
} from "../reference/stepper/build.ts";

/** Batteries of 1000 kWh and 500 kW, half full, without losses unless said otherwise. */
export const losslessBattery = (given: Parameters<typeof battery>[0] = {}) =>
  battery({ chargeEfficiency: 1, dischargeEfficiency: 1, socOpMinPct: 0, socOpMaxPct: 100, ...given });

/** Sites "a", "b", … of plain batteries with these export and import limits in kW. */
export const batterySites = (...limitsKw: readonly number[]): SiteSpec[] =>
  limitsKw.map((kw, k) => site(String.fromCharCode(97 + k), losslessBattery({ importMaxKw: kw, exportMaxKw: kw })));

/** One VPP "east" of all sites with these weights, in order; options as in the scenario. */
export const eastVpp = (
  sites: readonly SiteSpec[],
  weights: readonly number[],
  options: Parameters<typeof vpp>[3] = {},
) =>
  vpp(
    "east",
    sites,
    weights.map((weight, k) => [k, weight] as const),
    options,
  );

/**
 * "00:30-01:00 -300 frr": an award by period, delta and product; "~300 fcr" requests FCR capacity,
 * "-300~50 compound" both; ids are A1, A2, …
 */
export const parseAwards = (...lines: readonly string[]): AwardSpec[] =>
  lines.map((line, k) => {
    const [period, kw, sku] = line.split(/\s+/);
    const [start, end] = period.split("-");
    return award(`A${k + 1}`, [at(start), at(end)], 0, { sku: (sku as Sku | undefined) ?? null, ...parseAmounts(kw) });
  });

/** "-300", "~50" or "-300~50": delta and FCR capacity. */
function parseAmounts(text: string): { deltaKw: number | null; fcrResponseKw: number | null } {
  const [delta, fcrCapacity] = text.split("~");
  return {
    deltaKw: delta === "" ? null : Number(delta),
    fcrResponseKw: fcrCapacity === undefined ? null : Number(fcrCapacity),
  };
}

/** "00:10 +200 30min frr": an immediate instruction; ids are I1, I2, … */
export const parseInstructions = (...lines: readonly string[]): InstructionSpec[] =>
  lines.map((line, k) => {
    const [clock, kw, minutes, sku] = line.split(/\s+/);
    return instruction(`I${k + 1}`, at(clock), Number.parseInt(minutes, 10), 0, {
      sku: (sku as Sku | undefined) ?? null,
      ...parseAmounts(kw),
    });
  });

type FaultKind = "outage" | "maintenance" | "warning" | "link_down" | "fcr_fault";

/** "outage 0 00:10-00:40": something at a site by its index; without an end it lasts; a last word "settled" is allowed. */
export const parseEvents = (...lines: readonly string[]): ScenarioEvent[] => lines.map(parseEvent);

function parseEvent(line: string): ScenarioEvent {
  const words = line.split(/\s+/);
  const settled = words.at(-1) === "settled";
  const [kind, index, when, ...rest] = words;
  const [start, end] = when.split("-");
  const base = { atMs: at(start), settled, site: Number(index) };
  const untilMs = end === undefined ? Number.POSITIVE_INFINITY : at(end);
  switch (kind) {
    case "output_control":
      return { ...base, kind, untilMs, limitPct: Number(rest[0]), reason: rest[1] as OutputControlReason };
    case "set_weight":
      return { ...base, kind, vpp: 0, allocationWeight: Number(rest[0]) };
    case "add_member":
      return { ...base, kind, vpp: Number(rest[0]), resourceType: "battery", allocationWeight: 100, label: "" };
    case "remove_member":
      return { ...base, kind, vpp: Number(rest[0]) };
    default:
      return { ...base, kind: kind as FaultKind, untilMs };
  }
}

/** A finished tiny world with all its tables. */
export interface RunTables {
  readonly record: RunRecord;
  readonly energy: readonly Row[];
  readonly vppEnergy: readonly Row[];
  readonly power: readonly Row[];
  readonly dispatch: readonly Row[];
  readonly events: readonly Row[];
}

export function runSmallWorld(spec: WorldSpec, options: Partial<RunOptions> = {}): RunTables {
  const [energy, vppEnergy, power, dispatch, events] = Array.from({ length: 5 }, () => new RowCollector());
  const sinks = { energy, vppEnergy, power, dispatch, events };
  const record = runWorld(spec, { intervalMs: 1_800_000, powerIntervalMs: 60_000, ...sinks, ...options });
  const { eventCount: _, ...kept } = record;
  return {
    record: kept,
    energy: energy.rows,
    vppEnergy: vppEnergy.rows,
    power: power.rows,
    dispatch: dispatch.rows,
    events: events.rows,
  };
}

export const runSites = (sites: readonly SiteSpec[], given: Partial<WorldSpec> = {}): RunTables =>
  runSmallWorld(world(sites, given));

export function findAwardRow({ record }: RunTables, awardId: string): AwardRow {
  const row = record.awards.find((candidate) => candidate.awardId === awardId);
  if (row === undefined) throw new Error(`no award ${awardId}`);
  return row;
}

export function findSiteRow({ record }: RunTables, name: string): SiteRow {
  const row = record.sites.find((candidate) => candidate.site === name);
  if (row === undefined) throw new Error(`no site ${name}`);
  return row;
}

/**
 * What one award dispatched to the members, per time: "00:00 a -100, b failed delivery_failed"; FCR capacity as "a ~50" and
 * "a -100~50".
 */
export function dispatchLines({ dispatch }: RunTables, awardId: string): string[] {
  const lines = new Map<number, string[]>();
  for (const row of dispatch.filter(({ award_id }) => award_id === awardId)) {
    const fcrCapacity = (row.fcr_response_kw ?? null) === null ? "" : `~${row.fcr_response_kw}`;
    const amounts = row.dispatch_status === "dispatched" ? `${row.delta_kw ?? ""}${fcrCapacity}` : row.dispatch_status;
    const text = `${row.site} ${amounts}${row.skip_reason === null ? "" : ` ${row.skip_reason}`}`;
    lines.set(Number(row.timestamp), [...(lines.get(Number(row.timestamp)) ?? []), text]);
  }
  return [...lines].map(([atMs, texts]) => `${formatClock(atMs)} ${texts.join(", ")}`);
}

export const formatClock = (atMs: number): string => {
  const clock = new Date(atMs).toISOString().slice(11, 19);
  return clock.endsWith(":00") ? clock.slice(0, 5) : clock;
};

/** Causes that are not 0, to three decimals. */
export const nonZeroCauses = (byCause: Float64Array): Record<string, number> =>
  Object.fromEntries(CAUSES.map((cause, k) => [cause, round3(byCause[k])] as const).filter(([, value]) => value !== 0));

export const round3 = (value: number): number => Math.round(value * 1000) / 1000 || 0;

/** current_kw of one site at whole minutes: "00:00 -100" wherever it differs from the sample before. */
export function powerLines({ power }: RunTables, name: string): string[] {
  const lines: string[] = [];
  let last: unknown;
  for (const row of power.filter((sample) => sample.site === name)) {
    if (row.current_kw !== last) lines.push(`${formatClock(Number(row.timestamp))} ${row.current_kw}`);
    last = row.current_kw;
  }
  return lines;
}

/** kWh of one site by interval. */
export const intervalEnergyKwh = ({ energy }: RunTables, name: string, field: string) =>
  energy.filter((row) => row.site === name).map((row) => row[field]);
