export interface PvwattsModule {
  /** DC kW at 1000 W/m² and 25 °C. */
  readonly dcCapacityKw: number;
  /** Relative change of power per °C of the cells above 25, such as −0.0037. */
  readonly gammaPerC: number;
}

/**
 * DC power of the array before losses, kW, at least 0.
 *
 * @param irradianceWm2  that reaches the cells
 * @see A. P. Dobos, "PVWatts version 5 manual", NREL/TP-6A20-62641 (2014), DOI 10.2172/1158421, eq. 8
 */
export function pvwattsDc(
  irradianceWm2: Float64Array,
  cellC: Float64Array,
  { dcCapacityKw, gammaPerC }: PvwattsModule,
): Float64Array {
  return irradianceWm2.map((irradiance, k) =>
    Math.max(0, (irradiance / 1000) * dcCapacityKw * (1 + gammaPerC * (cellC[k] - 25))),
  );
}
