import type { EpochMs } from "../../../base/time.ts";
import type { SeriesRequirement } from "../../../engine/series/model/seriesOptions.ts";
import type { ComponentBuildPort } from "../../../engine/site/components/scenarioFacet.ts";
import type { NumberOrSeries } from "../../../engine/vpp/instructions/instructionSpec.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import type { SeriesRegistry } from "./seriesRegistry.ts";

/** Load context with the period of the run and the registry of series. */
export interface BuildContext extends LoadContext, Pick<ComponentBuildPort, "readTable" | "localDays"> {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly series: SeriesRegistry;
}

/** The value of a key that is a number or names a series; `null` where it is absent. */
export function numberOrSeries<Key extends string>(
  { series }: BuildContext,
  keys: { readonly [K in Key]?: number | string | undefined },
  key: Key,
  use: SeriesRequirement,
): NumberOrSeries | null {
  const value = keys[key];
  return typeof value === "string" ? series.resolve(keys, key, use) : (value ?? null);
}
