import { IANAZone } from "luxon";
import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_MINUTE } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";

/** How the tables of a report are written for readers (docs/model/report-files.md#local-times). It can be sent to a thread. */
export interface TableLayout {
  /** IANA name, of local instants. */
  readonly timezone: string;
  /** `null`: UTC, but local where the format is for a spreadsheet. */
  readonly times: "utc" | "local" | null;
  readonly csv: "plain" | "excel";
  /** Whether the zone changes its offset in the run. */
  readonly hasClockChange: boolean;
}

export const PLAIN_LAYOUT: TableLayout = { timezone: "UTC", times: null, csv: "plain", hasClockChange: false };

export const tableLayout = ({ timezone, report, world }: Scenario): TableLayout => ({
  timezone,
  times: report.times,
  csv: report.csv,
  hasClockChange: hasClockChange(timezone, world),
});

type ShownInstant = "utc" | "local" | "date" | "time" | "offset";

/** One of the columns that an instant is written as. */
interface InstantPart {
  readonly suffix: string;
  readonly shows: ShownInstant;
}

export type ShownColumn = TableColumn & { readonly shows?: ShownInstant };

const AS_IT_IS: readonly InstantPart[] = [{ suffix: "", shows: "utc" }];
const LOCAL: InstantPart = { suffix: "_local", shows: "local" };
const OFFSET: InstantPart = { suffix: "_offset", shows: "offset" };

type TableFormat = "csv" | "json" | "xlsx";

/** The columns of each instant in a format. */
export function instantParts({ times, csv, hasClockChange }: TableLayout, format: TableFormat): readonly InstantPart[] {
  const offset = hasClockChange ? [OFFSET] : [];
  if (format === "csv" && csv === "excel")
    return [{ suffix: "_date", shows: "date" }, { suffix: "_time", shows: "time" }, ...offset];
  if (format === "xlsx") return times === "utc" ? AS_IT_IS : [LOCAL, ...offset];
  return times === "local" ? [LOCAL] : AS_IT_IS;
}

/** A block with the columns of its instants. */
export const showInstants = ({ rowCount, columns }: TableBlock, parts: readonly InstantPart[]) => ({
  rowCount,
  columns: columns.flatMap((column): ShownColumn[] =>
    column.kind === "instant"
      ? parts.map(({ suffix, shows }) => ({ ...column, name: `${column.name}${suffix}`, shows }))
      : [column],
  ),
});

/** Milliseconds to add to UTC for local time. */
export type OffsetAt = (atMs: EpochMs) => number;

/** Offsets change at a quarter of an hour. */
const OFFSET_STEP_MS = 15 * MS_PER_MINUTE;

export function offsetOf({ timezone }: TableLayout): OffsetAt {
  const zone = IANAZone.create(timezone);
  const known = new Map<number, number>();
  return (atMs) => {
    const step = Math.floor(atMs / OFFSET_STEP_MS);
    let offsetMs = known.get(step);
    if (offsetMs === undefined) known.set(step, (offsetMs = zone.offset(step * OFFSET_STEP_MS) * MS_PER_MINUTE));
    return offsetMs;
  };
}

function hasClockChange(timezone: string, { startMs, endMs }: Scenario["world"]): boolean {
  const zone = IANAZone.create(timezone);
  for (let atMs = startMs; atMs < endMs; atMs += MS_PER_DAY)
    if (zone.offset(atMs) !== zone.offset(Math.min(endMs, atMs + MS_PER_DAY))) return true;
  return false;
}

/** The text of an instant, such as `2026-05-20T07:41:00+09:00` or its parts. */
export function instantText(atMs: EpochMs, shows: ShownInstant, offsetAt: OffsetAt): string {
  if (shows === "utc") return isoUtc(atMs);
  const offsetMs = offsetAt(atMs);
  const local = isoUtc(atMs + offsetMs).slice(0, -1);
  if (shows === "date") return local.slice(0, 10);
  if (shows === "time") return local.slice(11);
  return shows === "offset" ? offsetText(offsetMs) : local + offsetText(offsetMs);
}

/** `+09:00` */
function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MS_PER_MINUTE;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${offsetMs < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
