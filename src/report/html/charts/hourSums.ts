// Energy of all awards by hour of the clock, for the charts of runs of more than a few days.
import { type Bins, equalBins } from "../../../accounting/recorders/envelope.ts";
import { splitPiece } from "../../../accounting/recorders/powerSums.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { hourOf, type LocalDay } from "../page/localDays.ts";
import { midnightBefore, type PageLocale } from "../page/pageLocale.ts";

/** kWh of all VPPs in each hour of the clock. */
export interface HourSums {
  readonly hours: Bins;
  readonly requestedKwh: Float64Array;
  /** Along the requests. */
  readonly deliveredKwh: Float64Array;
  readonly shortfallKwh: Float64Array;
  readonly penaltyJpy: Float64Array;
  /** In the order of CAUSES; `null`: the cause does not occur. */
  readonly causesKwh: readonly (Float64Array | null)[];
}

/** Of refused awards too, which have no delivery. */
export function hourSums(record: RunRecord, { timezone }: PageLocale): HourSums {
  const hours = equalBins(record, MS_PER_HOUR, midnightBefore(record.startMs, timezone));
  const column = () => new Float64Array(hours.count);
  const sums = {
    hours,
    requestedKwh: column(),
    deliveredKwh: column(),
    shortfallKwh: column(),
    penaltyJpy: column(),
  };
  const causesKwh: (Float64Array | null)[] = CAUSES.map(() => null);
  const ofCause = (cause: number) => (causesKwh[cause] ??= column());
  for (const { energy } of record.timelines) {
    const { startMs, binMs } = energy.units;
    const hourAt = (unit: number) => Math.floor((startMs + unit * binMs - hours.startMs) / MS_PER_HOUR);
    const add = (to: Float64Array, from: Float64Array) =>
      from.forEach((kwh, unit) => {
        if (kwh !== 0) to[hourAt(unit)] += kwh;
      });
    add(sums.requestedKwh, energy.requestedKwh);
    add(sums.deliveredKwh, energy.deliveredKwh);
    add(sums.shortfallKwh, energy.shortfallKwh);
    add(sums.penaltyJpy, energy.penaltyJpy);
    for (const [cause, kwh] of energy.causesKwh) add(ofCause(cause), kwh);
  }
  for (const award of record.awards) {
    const { state, shortfallKwh, requestedKw } = award;
    if (state !== "refused" || shortfallKwh === null || shortfallKwh <= 0) continue;
    const [fromMs, toMs] = [Math.max(award.startMs, record.startMs), Math.min(award.endMs, record.endMs)];
    const none = { fromKw: 0, toKw: 0, uncoveredKw: 0, penaltyPerKwh: 0, pieceHours: 0 };
    splitPiece({ fromMs, toMs, requestedKw, shortfallKwh, ...none }, hours, (hour, _hours, _kwh, missingKwh) => {
      sums.requestedKwh[hour] += missingKwh;
      sums.shortfallKwh[hour] += missingKwh;
      sums.penaltyJpy[hour] += ((award.penaltyJpy ?? 0) * missingKwh) / shortfallKwh;
      award.shortfallByCauseKwh.forEach((kwh, cause) => {
        if (kwh > 0) ofCause(cause)[hour] += (missingKwh * kwh) / shortfallKwh;
      });
    });
  }
  return { ...sums, causesKwh };
}

/** One hour of one day. */
export interface HourCell {
  /** Index of the day. */
  readonly day: number;
  /** Of the clock. */
  readonly hour: number;
  readonly atMs: EpochMs;
  readonly value: number;
}

/** The values of hours on the calendar; the two hours of a clock change back are one cell. */
export function hourCells(
  values: Float64Array,
  hours: Bins,
  days: readonly LocalDay[],
  { locale, combine }: { locale: PageLocale; combine: (a: number, b: number) => number },
): readonly HourCell[] {
  const cells: HourCell[] = [];
  let day = 0;
  values.forEach((value, k) => {
    const atMs = Math.max(days[0].startMs, hours.startMs + k * MS_PER_HOUR);
    while (day + 1 < days.length && days[day].endMs <= atMs) day++;
    if (Number.isNaN(value)) return;
    // A run that begins within a day has the hours of its clock from there on.
    const hour = hourOf(days[day], atMs, locale);
    const last = cells[cells.length - 1];
    if (last?.day === day && last.hour === hour)
      cells[cells.length - 1] = { ...last, value: combine(last.value, value) };
    else cells.push({ day, hour, atMs, value });
  });
  return cells;
}

/** Sum of the hours of a group of days. */
export function sumOfDays(values: Float64Array, hours: Bins, { startMs, endMs }: Pick<LocalDay, "startMs" | "endMs">) {
  const first = Math.max(0, Math.floor((startMs - hours.startMs) / MS_PER_HOUR));
  const end = Math.ceil((endMs - hours.startMs) / MS_PER_HOUR);
  return values.subarray(first, end).reduce((sum, value) => sum + value, 0);
}
