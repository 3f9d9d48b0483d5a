import { toTenths } from "../../base/rounding.ts";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { FcrFigures } from "../runRecord.ts";
import type { AwardAccount, FcrTotals } from "./awardAccount.ts";
import { CAUSES } from "./causes.ts";

/** Sums the members' registers of frequency response; the sites must have been advanced to `settledMs`. */
export function readFcrTotals({ instruction, settledMs }: AwardAccount, sites: readonly Site[]): FcrTotals {
  const totals: FcrTotals = { activatedUpKwh: 0, activatedDownKwh: 0, atBoundMs: 0 };
  for (const index of instruction.membership.siteIndices) {
    const { upKwh, downKwh, atBoundMs } = sites[index].fcrRegisters(instruction, settledMs);
    totals.activatedUpKwh += upKwh;
    totals.activatedDownKwh += downKwh;
    totals.atBoundMs += atBoundMs;
  }
  return totals;
}

/** Figures of an executed award, from its pieces; `null` without frequency response. */
export function fcrFiguresOf(pieces: readonly AwardAccount[], executedMinutes: number): FcrFigures | null {
  const [{ instruction, attribution }] = pieces;
  if (instruction.fcrCapacityTenths === null) return null;
  const sum = (of: (totals: FcrTotals) => number) =>
    pieces.reduce((total, { fcr }) => total + (fcr === null ? 0 : of(fcr)), 0);
  const upKwh = sum((totals) => totals.activatedUpKwh);
  const downKwh = sum((totals) => totals.activatedDownKwh);
  const hours = (executedMinutes * MS_PER_MINUTE) / MS_PER_HOUR;
  return {
    responseKw: instruction.fcrCapacityTenths / 10,
    uncoveredKw: instruction.fcrUncoveredAtStartTenths / 10,
    activatedUpKwh: upKwh,
    activatedDownKwh: downKwh,
    minutesAtBound: sum((totals) => totals.atBoundMs) / MS_PER_MINUTE,
    meanResponseKw: hours > 0 ? (upKwh + downKwh) / hours : 0,
    uncoveredByCauseKw: attribution?.fcrUncoveredByCauseKw ?? new Float64Array(CAUSES.length),
  };
}

/** Figures of an award of which nothing was executed; its uncovered capacity has one cause. */
export function unexecutedFcrFigures(
  { fcrResponseKw }: InstructionOrigin,
  uncoveredKw: number | null,
  cause: number | null,
): FcrFigures | null {
  if (fcrResponseKw === null) return null;
  const uncoveredByCauseKw = new Float64Array(CAUSES.length);
  if (cause !== null && uncoveredKw !== null) uncoveredByCauseKw[cause] = uncoveredKw;
  return {
    responseKw: toTenths(fcrResponseKw) / 10,
    uncoveredKw,
    activatedUpKwh: null,
    activatedDownKwh: null,
    minutesAtBound: null,
    meanResponseKw: null,
    uncoveredByCauseKw,
  };
}
