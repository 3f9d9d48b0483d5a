import type { EpochMs } from "../../../base/time.ts";
import type { ComponentBuildPort } from "../../../engine/site/components/scenarioFacet.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import type { SeriesRegistry } from "./seriesRegistry.ts";

/** Load context with the period of the run and the registry of series. */
export interface BuildContext extends LoadContext, Pick<ComponentBuildPort, "readTable" | "localDays"> {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly series: SeriesRegistry;
}
