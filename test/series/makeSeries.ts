import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { type Interpolation, Series } from "../../src/engine/series/model/series.ts";

/** A series from "minute:value" pairs; minutes count from 1970, `untilMinute` ends it. */
export function makeSeries(interpolation: Interpolation, text: string, untilMinute: number): Series {
  const pairs = text.split(" ").map((pair) => pair.split(":").map(Number));
  const timesMs = Float64Array.from(pairs, ([minute]) => minute * MS_PER_MINUTE);
  const values = Float64Array.from(pairs, ([, value]) => value);
  return new Series("s", timesMs, values, interpolation, untilMinute * MS_PER_MINUTE);
}

export const minutesMs = (count: number): number => count * MS_PER_MINUTE;
