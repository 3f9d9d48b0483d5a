import type { GeneratorKind, Subsidy } from "../generator/generatorSpec.ts";

type DispatchableKind = Exclude<GeneratorKind, "pv" | "wind">;

/**
 * A dispatchable generator: thermal, biomass, hydro and pumped storage.
 *
 * @see docs/model/dispatchable.md
 */
export interface DispatchableSpec {
  readonly kind: "dispatchable";
  readonly componentId: string;
  readonly generatorKind: DispatchableKind;
  readonly fcrCapable: boolean;
  readonly subsidy: Subsidy;
  readonly ratedOutputKw: number;
  /** 0 to `ratedOutputKw`; a plant that runs gives at least this. */
  readonly minOutputKw: number;
  /** Between least and rated output; `null`: instant. */
  readonly rampKwPerMin: number | null;
  readonly fuelType: string | null;
  /** Of pumped storage; `null` for all others. */
  readonly reservoir: ReservoirSpec | null;
}

/** The upper reservoir and the pump that fills it. */
export interface ReservoirSpec {
  readonly capacityKwh: number;
  readonly initialFillPct: number;
  readonly pumpMaxKw: number;
  /** kWh in the reservoir per kWh AC taken, 0..1. */
  readonly pumpingEfficiency: number;
  /** kWh AC given per kWh out of the reservoir, 0..1. */
  readonly generatingEfficiency: number;
}
