import type { EpochMs } from "../../base/time.ts";
import type { Reading } from "../parse/reading.ts";
import type { SeriesBook } from "./seriesBook.ts";

/** What the reading of a scenario shares, once the period is known and the series can be asked for. */
export interface Building extends Reading {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly series: SeriesBook;
}
