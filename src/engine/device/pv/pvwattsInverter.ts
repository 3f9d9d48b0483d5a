export interface PvwattsInverter {
  /** AC kW at which the output clips. */
  readonly ratedOutputKw: number;
  /** AC over DC at rated power, such as 0.96. */
  readonly nominalEfficiency: number;
}

/** Nominal efficiency of the inverter on which the part-load curve was measured. */
const REFERENCE_EFFICIENCY = 0.9637;

/**
 * AC power, kW, between 0 and the rating; 0 below a few % of load, where the inverter's own consumption exceeds the power.
 *
 * @param dcKw  at least 0; the inverter's DC rating is rated output over nominal efficiency
 * @see A. P. Dobos, NREL/TP-6A20-62641 (2014), DOI 10.2172/1158421, eqs. 9 to 11
 */
export function pvwattsInverter(
  dcKw: Float64Array,
  { ratedOutputKw, nominalEfficiency }: PvwattsInverter,
): Float64Array {
  const ratedDcKw = ratedOutputKw / nominalEfficiency;
  const scale = nominalEfficiency / REFERENCE_EFFICIENCY;
  return dcKw.map((kw) => {
    if (ratedDcKw <= kw) return ratedOutputKw;
    // Efficiency × load turns the curve's 1/load term into a constant, so that load 0 needs no special case.
    const load = kw / ratedDcKw;
    const output = scale * (load * (0.9858 - 0.0162 * load) - 0.0059);
    return Math.max(0, Math.min(ratedOutputKw, output * ratedDcKw));
  });
}
