/** A sensor of a site that shows another value than the true one. */
export interface SensorFault {
  readonly sensor: "soc" | "power";
  /** Added to the true value, in % points or kW; `null`: the sensor is stuck. */
  readonly offset: number | null;
  /** What a stuck sensor shows: kW, import positive. */
  readonly stuckKw: number;
  /** SOC in % that a stuck sensor shows, of each component in their order; NaN for one without a store. */
  readonly stuckSocPct: readonly number[];
}

/** Partial malfunctions of a site that is in service; immutable (docs/model/sandbox.md#partial-malfunctions). */
export interface SiteMalfunctions {
  /** Share of the rated power that the connection point can pass, 0..1. */
  readonly derateShare: number;
  /** Share of the sunlight that reaches the modules, 0..1. */
  readonly irradianceShare: number;
  readonly sensorFaults: readonly SensorFault[];
}

export const NO_MALFUNCTIONS: SiteMalfunctions = { derateShare: 1, irradianceShare: 1, sensorFaults: [] };
