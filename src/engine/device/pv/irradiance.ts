import { cos } from "../../../base/elementary.ts";

/** Irradiance on the ground, W/m², one value per instant: ghi = dni·cos(zenith) + dhi. */
export interface Irradiance {
  /** On the horizontal. */
  readonly ghiWm2: Float64Array;
  /** Beam, facing the sun. */
  readonly dniWm2: Float64Array;
  /** Diffuse, on the horizontal. */
  readonly dhiWm2: Float64Array;
}

/** Zenith in degrees from which division by its cosine is too inaccurate: all irradiance is treated as diffuse. */
const NO_BEAM_ZENITH_DEG = 87;

/** A measured component without negative offsets, and without any light while the sun is down (docs/model/pv.md#night). */
export const daylight = (measuredWm2: Float64Array, apparentZenithDeg: Float64Array): Float64Array =>
  measuredWm2.map((value, k) => (apparentZenithDeg[k] < 90 && 0 < value ? value : 0));

/**
 * Beam from global and diffuse irradiance by closure.
 *
 * The beam is limited to the extraterrestrial one. The excess is added to the diffuse part, so that the closure holds.
 *
 * @param ghiWm2  at least 0, and 0 at night
 */
export function splitByDiffuse(
  ghiWm2: Float64Array,
  dhiWm2: Float64Array,
  zenithDeg: Float64Array,
  extraterrestrialWm2: Float64Array,
): Irradiance {
  const dniWm2 = ghiWm2.map((ghi, k) => {
    if (NO_BEAM_ZENITH_DEG < zenithDeg[k]) return 0;
    return Math.max(0, Math.min((ghi - dhiWm2[k]) / cosDeg(zenithDeg[k]), extraterrestrialWm2[k]));
  });
  return { ghiWm2, dniWm2, dhiWm2: diffuseByClosure(ghiWm2, dniWm2, zenithDeg) };
}

/**
 * Diffuse irradiance from the global one and a measured beam; a beam that exceeds the closure is reduced to it.
 *
 * @param ghiWm2  at least 0, and 0 at night
 */
export function splitByBeam(ghiWm2: Float64Array, dniWm2: Float64Array, zenithDeg: Float64Array): Irradiance {
  const beamWm2 = ghiWm2.map((ghi, k) => (ghi === 0 ? 0 : Math.min(dniWm2[k], ghi / cosDeg(zenithDeg[k]))));
  return { ghiWm2, dniWm2: beamWm2, dhiWm2: diffuseByClosure(ghiWm2, beamWm2, zenithDeg) };
}

const diffuseByClosure = (ghiWm2: Float64Array, dniWm2: Float64Array, zenithDeg: Float64Array): Float64Array =>
  ghiWm2.map((ghi, k) => Math.max(0, ghi - dniWm2[k] * cosDeg(zenithDeg[k])));

const cosDeg = (deg: number): number => cos((deg * Math.PI) / 180);
