import { IANAZone } from "luxon";
import { type EpochMs, MS_PER_DAY, MS_PER_MINUTE } from "../../../base/time.ts";
import type { FormatOptions } from "../fileFormat.ts";
import type { FormatProblems } from "../formatProblem.ts";
import type { LocalMs } from "./parseDate.ts";

/** Converts local times to instants: two instants where clocks go back, none where they go forward. */
export interface LocalTimeConverter {
  /** Whether its offset from UTC never changes. */
  readonly isFixed: boolean;
  /** Ascending. */
  instantsOf(localMs: LocalMs): readonly EpochMs[];
}

/** A clock with a constant offset from UTC. */
export const fixedClock = (offsetMs: number): LocalTimeConverter => ({
  isFixed: true,
  instantsOf: (localMs) => [localMs - offsetMs],
});

/** Zone of local times without another one. */
export const DEFAULT_TIMEZONE = "Asia/Tokyo";

/** Japan Standard Time has no clock changes. */
export const JST: LocalTimeConverter = fixedClock(9 * 3_600_000);
export const UTC: LocalTimeConverter = fixedClock(0);

/** @returns `null` for an unknown zone */
export function zoneClock(timezone: string): LocalTimeConverter | null {
  if (timezone === "Asia/Tokyo") return JST;
  if (timezone === "UTC") return UTC;
  const zone = IANAZone.create(timezone);
  if (!zone.isValid) return null;
  const offsetAt = (atMs: EpochMs) => zone.offset(atMs) * MS_PER_MINUTE;
  return {
    isFixed: false,
    instantsOf(localMs) {
      const before = localMs - offsetAt(localMs - MS_PER_DAY);
      const after = localMs - offsetAt(localMs + MS_PER_DAY);
      const candidates = before === after ? [before] : [Math.min(before, after), Math.max(before, after)];
      return candidates.filter((atMs) => atMs + offsetAt(atMs) === localMs);
    },
  };
}

/** Position of a printed time in its interval, and the length of that interval on the clock. */
interface PrintedLabel {
  readonly isEnd: boolean;
  readonly lengthMs: number;
}

/**
 * Instants of the printed times of a file, in the order of its rows; NaN for a time that a clock change skips.
 *
 * Of a repeated time that two rows have, the first row has the first instant. A single row of a repeated time has the instant
 * that continues its neighbours. An end is the time at which its interval ends, whatever a clock then shows: an interval from
 * 1:45 may end at 2:00 although the clock goes from 2:00 to 3:00 (docs/model/formats.md#clock-changes).
 */
export function resolveLocalTimes(
  localsMs: readonly LocalMs[],
  clock: LocalTimeConverter,
  label: (row: number) => PrintedLabel,
): Float64Array {
  const instants = new Float64Array(localsMs.length);
  const rowsOfRepeated = new Map<LocalMs, number[]>();
  localsMs.forEach((localMs, k) => {
    const candidates = candidatesOf(localMs, clock, label(k));
    instants[k] = candidates.length === 1 ? candidates[0] : Number.NaN;
    if (candidates.length > 1) rowsOfRepeated.set(localMs, [...(rowsOfRepeated.get(localMs) ?? []), k]);
  });
  if (rowsOfRepeated.size === 0) return instants;
  const known = new Set(instants);
  const singles: { readonly row: number; readonly first: EpochMs; readonly second: EpochMs }[] = [];
  for (const [localMs, rows] of rowsOfRepeated) {
    const [first, second] = candidatesOf(localMs, clock, label(rows[0]));
    const certain = rows.length === 1 ? certainEnd(localMs, clock, label(rows[0])) : null;
    if (rows.length > 1) rows.forEach((row, k) => (instants[row] = k === 0 ? first : second));
    else if (certain !== null) instants[rows[0]] = certain;
    else singles.push({ row: rows[0], first, second });
    for (const row of rows) known.add(instants[row]);
  }
  singles.sort((a, b) => a.first - b.first);
  const settle = (row: number, atMs: EpochMs): void => {
    instants[row] = atMs;
    known.add(atMs);
  };
  for (const { row, first } of singles) if (known.has(first - label(row).lengthMs)) settle(row, first);
  for (const { row, first, second } of singles.reverse())
    if (Number.isNaN(instants[row])) settle(row, known.has(second + label(row).lengthMs) ? second : first);
  return instants;
}

/** Instants that a printed time may be, ascending. */
function candidatesOf(localMs: LocalMs, clock: LocalTimeConverter, { isEnd, lengthMs }: PrintedLabel): EpochMs[] {
  const shown = clock.instantsOf(localMs);
  if (!isEnd || clock.isFixed) return [...shown];
  const fromStart = clock.instantsOf(localMs - lengthMs).map((startMs) => startMs + lengthMs);
  return [...new Set([...shown, ...fromStart])].sort((a, b) => a - b);
}

/** The end of an interval that begins and ends on the clock as printed, if there is one such end alone. */
function certainEnd(localMs: LocalMs, clock: LocalTimeConverter, { isEnd, lengthMs }: PrintedLabel): EpochMs | null {
  if (!isEnd) return null;
  const shown = clock.instantsOf(localMs);
  const both = clock.instantsOf(localMs - lengthMs).filter((startMs) => shown.includes(startMs + lengthMs));
  return both.length === 1 ? both[0] + lengthMs : null;
}

/** Start and end as printed, and their instants where the file says them. */
export interface PrintedInterval {
  readonly fromMs: LocalMs;
  readonly toMs: LocalMs;
  readonly startMs?: EpochMs;
  readonly endMs?: EpochMs;
}

interface Interval {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/**
 * Intervals with printed starts and ends, in the order of the rows: an end is that of the next start, else the one that is
 * nearest to the usual length.
 *
 * @returns with NaN for a start that a clock change skips, and for an end that is not after its start
 */
export function resolveIntervals(printed: readonly PrintedInterval[], clock: LocalTimeConverter): Interval[] {
  const lengths = Float64Array.from(printed, ({ fromMs, toMs }) => toMs - fromMs).sort();
  const lengthMs = lengths[(lengths.length - 1) >> 1];
  const resolved = resolveLocalTimes(
    printed.map(({ fromMs }) => fromMs),
    clock,
    () => ({ isEnd: false, lengthMs }),
  );
  const starts = printed.map(({ startMs }, k) => startMs ?? resolved[k]);
  const sorted = Float64Array.from(starts).sort();
  const nextAfter = new Map([...sorted].map((startMs, k) => [startMs, sorted[k + 1]]));
  return printed.map(({ fromMs, toMs, endMs }, k) => {
    const startMs = starts[k];
    const shown = endMs === undefined ? [startMs + toMs - fromMs, ...clock.instantsOf(toMs)] : [endMs];
    const candidates = shown.filter((candidateMs) => startMs < candidateMs);
    const nextMs = nextAfter.get(startMs) ?? Number.NaN;
    if (candidates.length === 0) return { startMs, endMs: Number.NaN };
    if (candidates.includes(nextMs)) return { startMs, endMs: nextMs };
    const offUsual = (candidateMs: EpochMs) => Math.abs(candidateMs - startMs - lengthMs);
    return { startMs, endMs: candidates.reduce((a, b) => (offUsual(b) < offUsual(a) ? b : a)) };
  });
}

/** The times of day of a file's rows in their order, and the length of an interval. */
interface PrintedTimes {
  readonly clocksMs: readonly number[];
  readonly stepMs: number;
}

/**
 * Whether printed times mark starts or ends of intervals: `24:00` and a first time of one step are ends, a first time
 * of `0:00` is a start (docs/model/formats.md#start-or-end).
 *
 * @returns `null` after reporting ambiguous times
 */
export function intervalLabel(
  { clocksMs, stepMs }: PrintedTimes,
  { label }: FormatOptions,
  problems: FormatProblems,
): "start" | "end" | null {
  if (label !== undefined) return label;
  if (clocksMs.includes(MS_PER_DAY)) return "end";
  const [first] = clocksMs;
  if (first === 0) return "start";
  if (first === stepMs) return "end";
  problems.refuse(
    "times that do not show whether they are starts or ends of intervals",
    "the option label: start or end",
    "label",
  );
  return null;
}
