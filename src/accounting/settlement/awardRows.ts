import { toTenths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Origin } from "../../vpp/instructions/orderSpec.ts";
import type { AwardRow } from "../runRecord.ts";
import { CAUSES } from "./causes.ts";
import { idleFcr } from "./fcrFigures.ts";

export type RowToFill = { -readonly [Key in keyof AwardRow]: AwardRow[Key] };

const NO_CAUSES = new Float64Array(CAUSES.length);

/** What an award or instruction asks, in kW to the tenth: its delta, signed, or the width of frequency response alone. */
export const requestedKwOf = ({ sku, deltaKw, fcrResponseKw }: Origin): number =>
  toTenths((sku === "fcr" ? fcrResponseKw : deltaKw) ?? 0) / 10;

/** A row with nothing executed, to be filled: copies of objects of so many keys are slow. */
export function emptyRow(origin: Origin, vpp: string): RowToFill {
  const { startMs, endMs } = periodOf(origin);
  return {
    awardId: origin.awardId,
    kind: "atMs" in origin ? "instruction" : "award",
    vpp,
    sku: origin.sku,
    startMs,
    endMs,
    requestedKw: requestedKwOf(origin),
    isFcr: origin.sku === "fcr",
    fcr: idleFcr(origin, null, null),
    uncoveredKw: null,
    requestedKwh: null,
    deliveredKwh: null,
    shortfallKwh: null,
    excessKwh: null,
    compliancePct: null,
    executedMinutes: 0,
    state: "pending",
    overwrittenBy: null,
    errorType: null,
    shortfallByCauseKwh: NO_CAUSES,
    uncoveredByCauseKw: NO_CAUSES,
    mostLacking: [],
  };
}

/** The same for one of which nothing is covered, for one cause. */
export function uncoveredRow(origin: Origin, vpp: string, cause: number): RowToFill {
  const row = emptyRow(origin, vpp);
  row.uncoveredKw = row.requestedKw;
  row.uncoveredByCauseKw = onlyCause(cause, Math.abs(row.requestedKw));
  row.fcr = idleFcr(origin, row.fcr?.responseKw ?? null, cause);
  return row;
}

export function periodOf(origin: Origin): { startMs: EpochMs; endMs: EpochMs } {
  return "atMs" in origin
    ? { startMs: origin.atMs, endMs: origin.atMs + origin.durationMs }
    : { startMs: origin.startMs, endMs: origin.endMs };
}

export function onlyCause(cause: number, amount: number): Float64Array {
  const causes = new Float64Array(CAUSES.length);
  causes[cause] = amount;
  return causes;
}
