/** Heat loss coefficients: W/(m²·K) without wind, and per m/s of wind (docs/model/pv.md#cell-temperature). */
const U0 = 25;
const U1 = 6.84;

/**
 * Temperature of the cells, °C.
 *
 * @param poaWm2  irradiance on the plane in front of the glass
 * @param windSpeedMPerS  at the modules, at least 0
 * @see D. Faiman, Progress in Photovoltaics 16 (2008) 307, DOI 10.1002/pip.813
 */
export function faiman(poaWm2: Float64Array, airC: Float64Array, windMS: Float64Array): Float64Array {
  return poaWm2.map((poa, k) => airC[k] + poa / (U0 + U1 * windMS[k]));
}
