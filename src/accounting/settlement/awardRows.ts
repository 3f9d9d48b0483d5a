import { toTenths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { AwardRow } from "../runRecord.ts";
import { CAUSES } from "./causes.ts";
import { unexecutedFcrFigures } from "./fcrFigures.ts";

export type AwardRowDraft = { -readonly [Key in keyof AwardRow]: AwardRow[Key] };

const NO_CAUSES = new Float64Array(CAUSES.length);

/** Requested kW, rounded to tenths: the signed delta, or the FCR capacity of an award of frequency response alone. */
export const requestedKwOf = ({ sku, deltaKw, fcrResponseKw }: InstructionOrigin): number =>
  toTenths((sku === "fcr" ? fcrResponseKw : deltaKw) ?? 0) / 10;

/**
 * Row of an award of which nothing was executed. Callers fill it in place, because copying an object of so many keys is
 * slow.
 */
export function emptyAwardRow(origin: InstructionOrigin, vpp: string): AwardRowDraft {
  const { startMs, endMs } = awardPeriod(origin);
  return {
    awardId: origin.awardId,
    kind: "atMs" in origin ? "instruction" : "award",
    vpp,
    sku: origin.sku,
    startMs,
    endMs,
    requestedKw: requestedKwOf(origin),
    isFcr: origin.sku === "fcr",
    fcr: unexecutedFcrFigures(origin, null, null),
    uncoveredKw: null,
    uncoveredKwPeak: null,
    uncoveredPeakMs: null,
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
    topContributors: [],
  };
}

/** Row of an award that is wholly uncovered for one cause (an index into `CAUSES`). */
export function uncoveredAwardRow(origin: InstructionOrigin, vpp: string, cause: number): AwardRowDraft {
  const row = emptyAwardRow(origin, vpp);
  row.uncoveredKw = row.requestedKw;
  row.uncoveredKwPeak = row.requestedKw;
  row.uncoveredPeakMs = row.requestedKw === 0 ? null : row.startMs;
  row.uncoveredByCauseKw = singleCause(cause, Math.abs(row.requestedKw));
  row.fcr = unexecutedFcrFigures(origin, row.fcr?.responseKw ?? null, cause);
  return row;
}

export function awardPeriod(origin: InstructionOrigin): { startMs: EpochMs; endMs: EpochMs } {
  return "atMs" in origin
    ? { startMs: origin.atMs, endMs: origin.atMs + origin.durationMs }
    : { startMs: origin.startMs, endMs: origin.endMs };
}

export function singleCause(cause: number, amount: number): Float64Array {
  const causes = new Float64Array(CAUSES.length);
  causes[cause] = amount;
  return causes;
}
