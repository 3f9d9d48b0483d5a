import { cos } from "../../../base/elementary.ts";
import { type Irradiance, splitByDiffuse } from "./irradiance.ts";

/** Lower bound of the cosine of the zenith in the clearness index, which would diverge for hourly means near sunrise. */
const MIN_COS_ZENITH = 0.065;

/**
 * Beam and diffuse irradiance from the global one alone.
 *
 * @param ghiWm2  at least 0, and 0 at night
 * @param zenithDeg  without refraction
 * @param extraterrestrialWm2  beam above the atmosphere
 * @see D. G. Erbs, S. A. Klein and J. A. Duffie, Solar Energy 28 (1982) 293, DOI 10.1016/0038-092X(82)90302-4
 */
export function erbs(ghiWm2: Float64Array, zenithDeg: Float64Array, extraterrestrialWm2: Float64Array): Irradiance {
  const dhiWm2 = ghiWm2.map((ghi, k) => {
    if (ghi === 0) return 0;
    const cosZenith = Math.max(MIN_COS_ZENITH, cos((zenithDeg[k] * Math.PI) / 180));
    return ghi * erbsDiffuseFraction(ghi / (extraterrestrialWm2[k] * cosZenith));
  });
  return splitByDiffuse(ghiWm2, dhiWm2, zenithDeg, extraterrestrialWm2);
}

/** Diffuse over global irradiance, 0.165 to 1, for a clearness index (global over extraterrestrial on the horizontal). */
function erbsDiffuseFraction(clearness: number): number {
  if (clearness <= 0.22) return 1 - 0.09 * clearness;
  if (0.8 < clearness) return 0.165;
  return 0.9511 + clearness * (-0.1604 + clearness * (4.388 + clearness * (-16.638 + clearness * 12.336)));
}
