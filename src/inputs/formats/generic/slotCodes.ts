import { groupBy } from "../../../base/lists.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { FileContent } from "../fileFormat.ts";
import type { LocalTimeConverter } from "../time/localTime.ts";
import type { LocalMs } from "../time/parseDate.ts";
import { HALF_HOUR_SLOT_NAMES } from "./tableLayout.ts";

interface SlotCode {
  readonly dayMs: LocalMs;
  readonly code: number;
}

const LENGTHS_MS = [MS_PER_HOUR, MS_PER_HALF_HOUR, MS_PER_HALF_HOUR / 2, 10 * MS_PER_MINUTE, 5 * MS_PER_MINUTE];

/**
 * Lengths of the slot codes of each day: that of the option, else by the codes of a whole day, whose number is that of the local
 * day of 23 to 25 hours. A part of a day has the length of the whole day before it, or of the first one; codes of the Japanese
 * market are half hours (docs/model/formats.md#slot-codes).
 *
 * @param name header of the column
 * @returns by day; `null` after asking for the option
 */
export function slotLengths(
  codes: readonly SlotCode[],
  clock: LocalTimeConverter,
  { options, problems }: FileContent,
  name: string,
): ReadonlyMap<LocalMs, number> | null {
  const statedMs = options.slot_minutes === undefined ? null : options.slot_minutes * MS_PER_MINUTE;
  const days = [...groupBy(codes, ({ dayMs }) => dayMs)].sort(([a], [b]) => a - b);
  const found = days.map(
    ([dayMs, ofDay]) => statedMs ?? wholeDayLength(new Set(ofDay.map(({ code }) => code)), dayMs, clock),
  );
  let lengthMs =
    found.find((length) => length !== null) ?? (HALF_HOUR_SLOT_NAMES.includes(name) ? MS_PER_HALF_HOUR : null);
  if (lengthMs === null) {
    const allowed = "the option slot_minutes: 60, 30 or 15";
    problems.refuse("slot codes without a whole day, which would show their length", allowed, "slot_minutes");
    return null;
  }
  const ambiguous = days.find(([dayMs, ofDay], k) => isOfOrdinaryDay(ofDay, dayMs, found[k] ?? lengthMs ?? 0, clock));
  if (ambiguous !== undefined) {
    const [dayMs, ofDay] = ambiguous;
    const count = slotsOfDay(dayMs, found[0] ?? lengthMs, clock);
    const day = new Date(dayMs).toISOString().slice(0, 10);
    const allowed = `${count} codes, counted from midnight; times of day for files that leave out or repeat an hour`;
    problems.refuse(`${ofDay.length} slot codes on ${day}, a day of a clock change`, allowed, "slot");
    return null;
  }
  return new Map(days.map(([dayMs], k) => [dayMs, (lengthMs = found[k] ?? lengthMs) as number]));
}

/** Whether a day of a clock change has the codes of an ordinary one: the file may count clock times. */
function isOfOrdinaryDay(
  codes: readonly SlotCode[],
  dayMs: LocalMs,
  lengthMs: number,
  clock: LocalTimeConverter,
): boolean {
  const ordinary = MS_PER_DAY / lengthMs;
  return slotsOfDay(dayMs, lengthMs, clock) !== ordinary && Math.max(...codes.map(({ code }) => code)) === ordinary;
}

function wholeDayLength(codes: ReadonlySet<number>, dayMs: LocalMs, clock: LocalTimeConverter): number | null {
  const last = Math.max(...codes);
  const isWhole = codes.has(1) && codes.size === last;
  return (isWhole && LENGTHS_MS.find((lengthMs) => slotsOfDay(dayMs, lengthMs, clock) === last)) || null;
}

/** Start of a slot, counted from midnight; `null` for a code that the day does not have. */
export function slotStart(dayMs: LocalMs, code: number, lengthMs: number, clock: LocalTimeConverter): EpochMs | null {
  const [midnightMs] = clock.instantsOf(dayMs);
  const isOfDay = 1 <= code && code <= slotsOfDay(dayMs, lengthMs, clock);
  return midnightMs === undefined || !isOfDay ? null : midnightMs + (code - 1) * lengthMs;
}

/** Slots of a local day: 46 or 50 half hours on days of clock changes. */
export function slotsOfDay(dayMs: LocalMs, lengthMs: number, clock: LocalTimeConverter): number {
  const [fromMs = 0] = clock.instantsOf(dayMs);
  const [toMs = fromMs + MS_PER_DAY] = clock.instantsOf(dayMs + MS_PER_DAY);
  return (toMs - fromMs) / lengthMs;
}
