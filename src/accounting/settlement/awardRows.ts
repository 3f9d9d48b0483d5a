import { toTenths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { InstructionOrigin } from "../../vpp/instructions/instructionSpec.ts";
import type { AwardRow } from "../runRecord.ts";
import { CAUSES } from "./causes.ts";
import { unexecutedFcrFigures } from "./fcrFigures.ts";

export type AwardRowDraft = { -readonly [Key in keyof AwardRow]: AwardRow[Key] };

const NO_CAUSES = new Float64Array(CAUSES.length);

/** What an award or instruction asks, in kW to the tenth: its delta, signed, or the width of frequency response alone. */
export const requestedKwOf = ({ sku, deltaKw, fcrResponseKw }: InstructionOrigin): number =>
  toTenths((sku === "fcr" ? fcrResponseKw : deltaKw) ?? 0) / 10;

/** A row with nothing executed, to be filled: copies of objects of so many keys are slow. */
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

/** The same for one of which nothing is covered, for one cause. */
export function uncoveredAwardRow(origin: InstructionOrigin, vpp: string, cause: number): AwardRowDraft {
  const row = emptyAwardRow(origin, vpp);
  row.uncoveredKw = row.requestedKw;
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
