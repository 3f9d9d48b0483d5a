import { cos, exp } from "../../../base/elementary.ts";
import { pressureHpaAt, relativeAirMass } from "./atmosphere.ts";
import type { Irradiance } from "./irradiance.ts";

/** Transmission of the cloudless sky at a place. */
interface ClearSkyOptions {
  readonly altitudeM: number;
  /** Linke turbidity at air mass 2: about 2 for clean cold air, 3 for temperate, 5 and more for humid or industrial air. */
  readonly linkeTurbidity: number | MonthlyTurbidity;
}

/** Twelve values, January first; each applies to the middle of its month, linear between. */
type MonthlyTurbidity = readonly number[];

/**
 * Irradiance under a cloudless sky, W/m²; 0 from 90° of apparent zenith on.
 *
 * @param timesMs  used for monthly turbidity only
 * @see P. Ineichen and R. Perez, Solar Energy 73 (2002) 151, DOI 10.1016/S0038-092X(02)00045-2, without the enhancement
 *   at low sun
 */
export function clearSky(
  timesMs: Float64Array,
  apparentZenithDeg: Float64Array,
  extraterrestrialWm2: Float64Array,
  { altitudeM, linkeTurbidity }: ClearSkyOptions,
): Irradiance {
  const fh1 = exp(-altitudeM / 8000);
  const fh2 = exp(-altitudeM / 1250);
  const cg1 = 5.09e-5 * altitudeM + 0.868;
  const cg2 = 3.92e-5 * altitudeM + 0.0387;
  const pressure = pressureHpaAt(altitudeM) / 1013.25;
  const ghiWm2 = new Float64Array(timesMs.length);
  const dniWm2 = new Float64Array(timesMs.length);
  const dhiWm2 = new Float64Array(timesMs.length);
  for (let k = 0; k < timesMs.length; k++) {
    const cosZenith = cos((apparentZenithDeg[k] * Math.PI) / 180);
    if (90 <= apparentZenithDeg[k] || cosZenith <= 0) continue;
    const turbidity = typeof linkeTurbidity === "number" ? linkeTurbidity : turbidityAt(linkeTurbidity, timesMs[k]);
    const airMass = relativeAirMass(apparentZenithDeg[k]) * pressure;
    const horizontal = extraterrestrialWm2[k] * cosZenith;
    const ghi = cg1 * horizontal * exp(-cg2 * airMass * (fh1 + fh2 * (turbidity - 1)));
    const beam = (0.664 + 0.163 / fh1) * extraterrestrialWm2[k] * exp(-0.09 * airMass * (turbidity - 1));
    // The second limit bounds the diffuse part from below by the scattering of very clear air.
    const beamShare = Math.max(0, 1 - (0.1 - 0.2 * exp(-turbidity)) / (0.1 + 0.882 / fh1));
    ghiWm2[k] = ghi;
    dniWm2[k] = Math.min(beam, (ghi * beamShare) / cosZenith);
    dhiWm2[k] = ghi - dniWm2[k] * cosZenith;
  }
  return { ghiWm2, dniWm2, dhiWm2 };
}

function turbidityAt(monthly: MonthlyTurbidity, atMs: number): number {
  const date = new Date(atMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const startMs = Date.UTC(year, month);
  const through = (atMs - startMs) / (Date.UTC(year, month + 1) - startMs) - 0.5;
  const other = monthly[(month + (through < 0 ? 11 : 1)) % 12];
  return monthly[month] + Math.abs(through) * (other - monthly[month]);
}
