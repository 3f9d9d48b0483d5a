import type { Series } from "../../series/model/series.ts";

export type Subsidy = "fit" | "fip" | "none";
export type GeneratorKind = "pv" | "wind" | "thermal" | "pumped_storage" | "biomass" | "hydro" | "other";

/**
 * A generator whose output follows its primary energy: PV and wind.
 *
 * @see docs/model/pv.md
 */
export interface VariableGeneratorSpec {
  readonly kind: "generator";
  readonly componentId: string;
  readonly generatorKind: "pv" | "wind";
  readonly fcrCapable: boolean;
  readonly subsidy: Subsidy;
  readonly ratedOutputKw: number;
  readonly pvCapacityKw: number | null;
  /** AC kW that the plant could send, at least 0, before any limit. */
  readonly generationKw: Series;
  /** Plane-of-array irradiance, where a sensor exists. */
  readonly irradianceWm2: Series | null;
}
