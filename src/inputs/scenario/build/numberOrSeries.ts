import type { SeriesRequirement } from "../../../engine/series/model/seriesOptions.ts";
import type { NumberOrSeries } from "../../../engine/vpp/instructions/instructionSpec.ts";
import type { BuildContext } from "./buildContext.ts";

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
