import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { isLeapYear } from "../csv/parseInstant.ts";
import type { RawSamples, RepeatPeriod, TimeWindow } from "./seriesOptions.ts";

/** A part of the record, copied with an offset of `offsetMs`. */
interface RecordCopy {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly offsetMs: number;
}

const PERIOD_MS = { day: MS_PER_DAY, week: 7 * MS_PER_DAY } as const;

/**
 * The record laid out over a window, from the last sample at or before it to the first at or after its end.
 *
 * @param untilMs where the record's last sample ends
 * @param reachMs no two samples of an unbroken record are further apart than this
 */
export function repeatRecord(
  record: RawSamples,
  { repeat, untilMs, reachMs, window }: { repeat: RepeatPeriod; untilMs: EpochMs; reachMs: number; window: TimeWindow },
): RawSamples {
  if (repeat === "none") return record;
  const wide = { fromMs: window.fromMs - reachMs - MS_PER_DAY, toMs: window.toMs + reachMs + MS_PER_DAY };
  const startMs = record.timesMs[0];
  const outside = (part: TimeWindow): RecordCopy[] =>
    part.fromMs < part.toMs ? copiesFor(part, repeat, startMs, untilMs) : [];
  const copies = [
    ...outside({ fromMs: wide.fromMs, toMs: Math.min(wide.toMs, startMs) }),
    { fromMs: startMs, toMs: untilMs, offsetMs: 0 },
    ...outside({ fromMs: Math.max(wide.fromMs, untilMs), toMs: wide.toMs }),
  ];
  return trimmed(copied(record, copies), window);
}

function copiesFor(
  part: TimeWindow,
  repeat: Exclude<RepeatPeriod, "none">,
  startMs: EpochMs,
  untilMs: EpochMs,
): RecordCopy[] {
  const copies =
    repeat === "year" ? yearCopies(part, startMs, untilMs) : cycleCopies(part, PERIOD_MS[repeat], startMs, untilMs);
  return copies
    .map(({ fromMs, toMs, offsetMs }) => ({
      fromMs: Math.max(fromMs, part.fromMs - offsetMs),
      toMs: Math.min(toMs, part.toMs - offsetMs),
      offsetMs,
    }))
    .filter(({ fromMs, toMs }) => fromMs < toMs);
}

/** Whole cycles from the record's start; a record shorter than one period leaves the rest of it empty. */
function cycleCopies(part: TimeWindow, periodMs: number, startMs: EpochMs, untilMs: EpochMs): RecordCopy[] {
  const cycleMs = periodMs * Math.max(1, Math.floor((untilMs - startMs) / periodMs));
  const first = Math.floor((part.fromMs - startMs) / cycleMs);
  const last = Math.ceil((part.toMs - startMs) / cycleMs);
  return Array.from({ length: last - first }, (_, k) => ({
    fromMs: startMs,
    toMs: Math.min(startMs + cycleMs, untilMs),
    offsetMs: (first + k) * cycleMs,
  }));
}

/** Day by day, each from the same calendar day of the record's first year. */
function yearCopies(part: TimeWindow, startMs: EpochMs, untilMs: EpochMs): RecordCopy[] {
  const startYear = new Date(startMs).getUTCFullYear();
  const copies: RecordCopy[] = [];
  const firstDayMs = Math.floor(part.fromMs / MS_PER_DAY) * MS_PER_DAY;
  for (let dayMs = firstDayMs; dayMs < part.toMs; dayMs += MS_PER_DAY) {
    // The day on which the record starts is split: what comes before its start is taken from a year later.
    let freeUntilMs = dayMs + MS_PER_DAY;
    const daysCopies: RecordCopy[] = [];
    for (const year of [startYear, startYear + 1]) {
      const sourceMs = sameDayIn(year, dayMs);
      const offsetMs = dayMs - sourceMs;
      const fromMs = Math.max(sourceMs, startMs);
      const toMs = Math.min(freeUntilMs - offsetMs, untilMs);
      if (toMs <= fromMs) continue;
      daysCopies.unshift({ fromMs, toMs, offsetMs });
      freeUntilMs = fromMs + offsetMs;
    }
    copies.push(...daysCopies);
  }
  return copies;
}

/** The start of the same month and day in another year; February 28 for a leap day in a year without one. */
function sameDayIn(year: number, dayMs: EpochMs): EpochMs {
  const date = new Date(dayMs);
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  const isMissing = month === 1 && day === 29 && !isLeapYear(year);
  return Date.UTC(year, month, isMissing ? 28 : day);
}

function copied(record: RawSamples, copies: readonly RecordCopy[]): RawSamples {
  const ranges = copies.map(({ fromMs, toMs, offsetMs }) => ({
    from: firstAtOrAfter(record.timesMs, fromMs),
    to: firstAtOrAfter(record.timesMs, toMs),
    offsetMs,
  }));
  const count = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const samples = { timesMs: new Float64Array(count), values: new Float64Array(count), lines: new Int32Array(count) };
  let at = 0;
  for (const { from, to, offsetMs } of ranges) {
    samples.values.set(record.values.subarray(from, to), at);
    samples.lines.set(record.lines.subarray(from, to), at);
    for (let k = from; k < to; k++) samples.timesMs[at++] = record.timesMs[k] + offsetMs;
  }
  return samples;
}

function trimmed({ timesMs, values, lines }: RawSamples, window: TimeWindow): RawSamples {
  const first = Math.max(0, firstAtOrAfter(timesMs, window.fromMs + 1) - 1);
  const end = firstAtOrAfter(timesMs, window.toMs) + 1;
  return { timesMs: timesMs.slice(first, end), values: values.slice(first, end), lines: lines.slice(first, end) };
}

function firstAtOrAfter(timesMs: Float64Array, atMs: EpochMs): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesMs[middle] < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
