// The event-driven simulator beside the stepper: where do the results of one world differ?

import type { RunRecord } from "../../src/accounting/runRecord.ts";
import type { AwardRow } from "../../src/accounting/settlement/awardRows.ts";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { type StepperAward, type StepperResult, stepWorld } from "../reference/stepper/stepper.ts";
import { runWorld } from "../runWorld.ts";
import { createRowRecorder, type Row } from "./tableRows.ts";

/** A stepped check must agree to this much in each record. */
export const TOLERANCE_KWH = 0.02;
export const TOLERANCE_KW = 0.01;
/** Of the prices that worlds are drawn with. */
export const HIGHEST_PRICE_JPY_PER_KWH = 40;
/** Causes are cut into pieces where the stepper sees a change, up to a second late. */
const CAUSE_TOLERANCE_KWH = 0.05;

export interface RunTables {
  readonly record: RunRecord;
  readonly energy: readonly Row[];
  readonly dispatch: readonly Row[];
}

export function runTables(spec: WorldSpec, intervalMs: number): RunTables {
  const energy = createRowRecorder();
  const dispatch = createRowRecorder();
  const record = runWorld(spec, { intervalMs, energy: energy.sink, dispatch: dispatch.sink, timelines: false });
  return { record, energy: energy.rows, dispatch: dispatch.rows };
}

const INTERVAL_MS = 1_800_000;

/** What two tellings of one world differ in beyond the tolerances, in words; both empty when they agree. */
export interface Differences {
  /** Energy, states, deltas, uncovered kW, delivered, shortfall and excess kWh. */
  readonly numbers: readonly string[];
  /** The split of shortfall and uncovered kW by cause. */
  readonly causes: readonly string[];
}

/** A difference that a finer step removes was the step's own error. */
export function compareWorlds(spec: WorldSpec): Differences {
  const real = runTables(spec, INTERVAL_MS);
  let found: Differences = { numbers: [], causes: [] };
  for (const stepMs of [1000, 100, 20]) {
    found = differencesFrom(spec, real, stepMs);
    if (found.numbers.length + found.causes.length === 0) break;
  }
  return found;
}

function differencesFrom(spec: WorldSpec, real: RunTables, stepMs: number): Differences {
  const plain = stepWorld(spec, { stepMs, intervalMs: INTERVAL_MS });
  const awards = awardPairs(real, plain);
  return {
    numbers: [
      ...energyDifferences(spec, real, plain),
      ...awards.flatMap(([row, award]) => awardDifference(row, award)),
      ...dispatchDifferences(spec, real, plain),
      ...moneyDifferences(spec, real, plain),
    ],
    causes: awards.flatMap(([row, award]) => causeDifference(row, award)),
  };
}

function energyDifferences(spec: WorldSpec, { record, energy }: RunTables, plain: StepperResult): string[] {
  const found: string[] = [];
  const say = compareValues(found);
  const count = spec.sites.length;
  energy.forEach((row, k) => {
    const site = plain.sites[k % count];
    const interval = Math.floor(k / count);
    const where = `${site.site} interval ${interval}`;
    say(`${where} import_kwh`, row.import_kwh, site.importKwh[interval], TOLERANCE_KWH);
    say(`${where} export_kwh`, row.export_kwh, site.exportKwh[interval], TOLERANCE_KWH);
  });
  if (energy.length !== count * plain.sites[0].importKwh.length) found.push(`energy rows: ${energy.length}`);
  record.sites.forEach((row, k) => {
    const last = plain.sites[k].socPct.at(-1);
    if (last !== undefined) say(`${row.site} socFinalPct`, row.socFinalPct, last, 0.02);
  });
  return found;
}

/** The lines of the ledger, each within the tolerance of a kWh for an award or site at the highest price. */
function moneyDifferences(spec: WorldSpec, { record }: RunTables, { awards, netImportJpy }: StepperResult): string[] {
  const found: string[] = [];
  const say = compareValues(found);
  const sum = (of: (award: StepperAward) => number) => awards.reduce((total, award) => total + of(award), 0);
  const lines = {
    capacity_jpy: sum((award) => award.capacityJpy),
    award_energy_jpy: sum((award) => award.awardEnergyJpy),
    penalty_jpy: sum((award) => award.penaltyJpy),
    energy_cost_jpy: netImportJpy - sum((award) => award.awardMarketJpy),
  };
  const tolerance = TOLERANCE_KWH * HIGHEST_PRICE_JPY_PER_KWH * (spec.awards.length + spec.sites.length);
  let profitJpy = 0;
  for (const name of ["capacity_jpy", "award_energy_jpy", "penalty_jpy", "energy_cost_jpy"] as const) {
    const line = record.kpis.get(name);
    if (typeof line !== "number") continue;
    say(name, line, lines[name], tolerance);
    profitJpy += name === "penalty_jpy" || name === "energy_cost_jpy" ? -line : line;
  }
  say("profit_jpy", record.kpis.get("profit_jpy") ?? 0, profitJpy, 0);
  return found;
}

function awardPairs({ record }: RunTables, plain: StepperResult): [AwardRow, StepperAward][] {
  const rows = new Map(record.awards.map((row) => [row.awardId, row]));
  return plain.awards.map((award) => {
    const row = rows.get(award.awardId);
    if (row === undefined) throw new Error(`${award.awardId} has no row`);
    return [row, award];
  });
}

function awardDifference(row: AwardRow, award: StepperAward): string[] {
  const found: string[] = [];
  const say = compareValues(found);
  const id = award.awardId;
  if (row.state !== award.state) found.push(`${id} state: ${row.state}, stepper ${award.state}`);
  if (row.errorType !== award.errorType) found.push(`${id} error: ${row.errorType}, stepper ${award.errorType}`);
  say(`${id} uncoveredKw`, row.uncoveredKw, award.uncoveredKw, TOLERANCE_KW);
  say(`${id} executedMinutes`, row.executedMinutes, award.executedMinutes, 0.01);
  say(`${id} requestedKwh`, row.requestedKwh ?? 0, award.requestedKwh, TOLERANCE_KWH);
  say(`${id} deliveredKwh`, row.deliveredKwh ?? 0, award.deliveredKwh, TOLERANCE_KWH);
  say(`${id} shortfallKwh`, row.shortfallKwh ?? 0, award.shortfallKwh, TOLERANCE_KWH);
  say(`${id} excessKwh`, row.excessKwh ?? 0, award.excessKwh, TOLERANCE_KWH);
  say(`${id} fcr uncoveredKw`, row.fcr?.uncoveredKw, award.fcr?.uncoveredKw, TOLERANCE_KW);
  say(`${id} fcr activatedUpKwh`, row.fcr?.activatedUpKwh ?? 0, award.fcr?.upKwh ?? 0, TOLERANCE_KWH);
  say(`${id} fcr activatedDownKwh`, row.fcr?.activatedDownKwh ?? 0, award.fcr?.downKwh ?? 0, TOLERANCE_KWH);
  return found;
}

function causeDifference(row: AwardRow, award: StepperAward): string[] {
  const found: string[] = [];
  const say = compareValues(found);
  const id = award.awardId;
  CAUSES.forEach((cause, k) => {
    say(`${id} shortfall by ${cause}`, row.shortfallByCauseKwh[k], award.shortfallByCauseKwh[k], CAUSE_TOLERANCE_KWH);
    say(`${id} uncovered by ${cause}`, row.uncoveredByCauseKw[k], award.uncoveredByCauseKw[k], 2 * TOLERANCE_KW);
    if (row.fcr !== null)
      say(
        `${id} FCR capacity by ${cause}`,
        row.fcr.uncoveredByCauseKw[k],
        award.fcrUncoveredByCauseKw[k],
        2 * TOLERANCE_KW,
      );
  });
  return found;
}

/** The deltas in force after each (re)dispatch; the table itself holds changes only. */
function dispatchDifferences(spec: WorldSpec, { dispatch }: RunTables, plain: StepperResult): string[] {
  const found: string[] = [];
  const say = compareValues(found);
  for (const { awardId, dispatches } of plain.awards) {
    const rows = dispatch.filter((row) => row.award_id === awardId);
    for (const { atMs, deltaKw, fcrCapacityKw } of dispatches) {
      spec.sites.forEach(({ name }, k) => {
        const latest = rows.findLast((row) => row.site === name && Number(row.timestamp) <= atMs);
        say(
          `${awardId} ${name} delta_kw at ${new Date(atMs).toISOString()}`,
          latest?.delta_kw,
          deltaKw[k],
          TOLERANCE_KW,
        );
        say(
          `${awardId} ${name} fcr_response_kw at ${new Date(atMs).toISOString()}`,
          latest?.fcr_response_kw,
          fcrCapacityKw[k],
          TOLERANCE_KW,
        );
      });
    }
  }
  return found;
}

type Value = number | string | null | undefined;

function compareValues(found: string[]) {
  return (what: string, real: Value, plain: Value, tolerance: number): void => {
    const [a, b] = [real ?? null, plain ?? null];
    const equal = typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= tolerance + 5e-4 : a === b;
    if (!equal) found.push(`${what}: ${a}, stepper ${b}`);
  };
}
