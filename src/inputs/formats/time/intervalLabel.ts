import { MS_PER_DAY } from "../../../base/time.ts";
import type { FormatOptions } from "../fileFormat.ts";
import type { FormatProblems } from "../formatProblem.ts";

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
