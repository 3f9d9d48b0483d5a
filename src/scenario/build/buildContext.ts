import type { EpochMs } from "../../base/time.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import type { SeriesRegistry } from "./seriesRegistry.ts";

/** What the reading of a scenario shares, once the period is known and the series can be asked for. */
export interface BuildContext extends LoadContext {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly series: SeriesRegistry;
}
