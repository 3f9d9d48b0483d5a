import type { Polyline } from "../../accounting/recorders/polyline.ts";
import type { VppTimeline } from "../../accounting/runRecord.ts";
import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { AwardSpec, NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";

/** Comparison of delivered with promised power over a period. */
export interface DeliveryFigures {
  readonly shortfallKwh: number;
  readonly shortfallJpy: number;
  readonly uncoveredMinutes: number;
  readonly overDeliveryKwh: number;
}

interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** What is compared. */
interface DeliveryScope extends Period {
  /** Of the promise, in %: smaller gaps are no uncovered power. */
  readonly uncoveredAbovePct: number;
}

/** Smaller gaps are no uncovered power: the rounding of set-points. */
const TOLERANCE_KW = 0.5;

/**
 * Compares the power that all instructions of each VPP delivered with the power that the scenario's own awards promise. A
 * trainee who deletes or replaces an award still owes it (docs/model/drills.md#obligation).
 *
 * @param promised  timelines of a run without a trainee; same VPPs, same order
 */
export function deliveryFigures(
  world: WorldSpec,
  promised: readonly VppTimeline[],
  delivered: readonly VppTimeline[],
  scope: DeliveryScope,
): DeliveryFigures {
  const sum = { shortfallKwh: 0, shortfallJpy: 0, uncoveredMinutes: 0, overDeliveryKwh: 0 };
  promised.forEach(({ requestedKw }, vpp) => {
    const awards = world.awards.filter((award) => award.vpp === vpp && award.deltaKw !== null);
    const gap = new GapWalker(requestedKw, delivered[vpp].deliveredKw);
    gap.walk(scope, (piece) => {
      const shortKwh = positiveIntegral(piece.fromGapKw, piece.toGapKw, piece.durationMs) / MS_PER_HOUR;
      const overKwh = positiveIntegral(-piece.fromGapKw, -piece.toGapKw, piece.durationMs) / MS_PER_HOUR;
      const toleranceKw = Math.max(TOLERANCE_KW, (scope.uncoveredAbovePct / 100) * piece.promisedKw);
      sum.shortfallKwh += shortKwh;
      sum.overDeliveryKwh += overKwh;
      sum.uncoveredMinutes +=
        (piece.durationMs * positiveShare(piece.fromGapKw - toleranceKw, piece.toGapKw - toleranceKw)) / MS_PER_MINUTE;
      if (shortKwh > 0) sum.shortfallJpy += shortKwh * penaltyJpyPerKwh(awards, piece.middleMs);
    });
  });
  return sum;
}

/** A period in which the gap is linear. Magnitudes in the direction of the promise; a negative gap is over-delivery. */
interface GapPiece {
  readonly middleMs: EpochMs;
  readonly durationMs: number;
  readonly promisedKw: number;
  readonly fromGapKw: number;
  readonly toGapKw: number;
}

class GapWalker {
  private readonly promised: PolylineReader;
  private readonly delivered: PolylineReader;

  constructor(promised: Polyline, delivered: Polyline) {
    this.promised = new PolylineReader(promised);
    this.delivered = new PolylineReader(delivered);
  }

  walk({ startMs, endMs }: Period, visit: (piece: GapPiece) => void): void {
    let fromMs = startMs;
    while (fromMs < endMs) {
      const halfHourMs = (Math.floor(fromMs / MS_PER_HALF_HOUR) + 1) * MS_PER_HALF_HOUR;
      const toMs = Math.min(endMs, halfHourMs, this.promised.nextPointMs(fromMs), this.delivered.nextPointMs(fromMs));
      const promised = this.promised.ends(fromMs, toMs);
      const delivered = this.delivered.ends(fromMs, toMs);
      const sign = Math.sign(promised[0] + promised[1]) || Math.sign(delivered[0] + delivered[1]) || 1;
      visit({
        middleMs: 0.5 * (fromMs + toMs),
        durationMs: toMs - fromMs,
        promisedKw: 0.5 * Math.abs(promised[0] + promised[1]),
        fromGapKw: sign * (promised[0] - delivered[0]),
        toGapKw: sign * (promised[1] - delivered[1]),
      });
      fromMs = toMs;
    }
  }
}

/** Reads a polyline forwards. Two points of one instant are a step. */
class PolylineReader {
  private readonly line: Polyline;
  private k = 0;

  constructor(line: Polyline) {
    this.line = line;
  }

  /** The first point after an instant that is not before earlier ones. */
  nextPointMs(afterMs: EpochMs): EpochMs {
    const { atMs } = this.line;
    while (this.k < atMs.length && atMs[this.k] <= afterMs) this.k++;
    return this.k < atMs.length ? atMs[this.k] : Number.POSITIVE_INFINITY;
  }

  /** Values at both ends of a piece without a point inside; `nextPointMs(fromMs)` was called before. */
  ends(fromMs: EpochMs, toMs: EpochMs): readonly [number, number] {
    const { atMs, values } = this.line;
    const k = this.k;
    if (k === 0 || k === atMs.length) return [0, 0];
    const slope = (values[k] - values[k - 1]) / (atMs[k] - atMs[k - 1]);
    return [values[k - 1] + slope * (fromMs - atMs[k - 1]), values[k - 1] + slope * (toMs - atMs[k - 1])];
  }
}

/** Integral of the positive part of a line over a duration. */
function positiveIntegral(from: number, to: number, durationMs: number): number {
  if (from <= 0 && to <= 0) return 0;
  if (from >= 0 && to >= 0) return 0.5 * (from + to) * durationMs;
  const peak = Math.max(from, to);
  return (0.5 * peak * durationMs * peak) / (Math.abs(from) + Math.abs(to));
}

/** Share of a piece in which a line is above 0. */
function positiveShare(from: number, to: number): number {
  if (from <= 0 && to <= 0) return 0;
  if (from >= 0 && to >= 0) return 1;
  return Math.max(from, to) / (Math.abs(from) + Math.abs(to));
}

/** Mean penalty of the awards at an instant in JPY/kWh, weighted by their requested power; 0 without an award. */
function penaltyJpyPerKwh(awards: readonly AwardSpec[], atMs: EpochMs): number {
  let calledKw = 0;
  let value = 0;
  for (const { startMs, endMs, deltaKw, activation, penaltyJpyPerKwh: penalty } of awards) {
    if (atMs < startMs || endMs <= atMs) continue;
    const kw = Math.abs(deltaKw ?? 0) * valueAt(activation, atMs);
    calledKw += kw;
    if (penalty !== null) value += kw * valueAt(penalty, atMs);
  }
  return calledKw === 0 ? 0 : value / calledKw;
}

const valueAt = (value: NumberOrSeries, atMs: EpochMs): number =>
  typeof value === "number" ? value : value.valueAt(atMs);
