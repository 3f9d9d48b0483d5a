import { cos, exp, sin } from "../../../base/elementary.ts";
import type { PlaneOfArray, PlaneOfArrayIrradiance } from "./hayDavies.ts";
import type { SolarPositionSeries } from "./solarPosition.ts";

/** Glass over the cells (docs/model/pv.md#incidence-angle). */
const REFRACTIVE_INDEX = 1.526;
const EXTINCTION_PER_M = 4;
const GLASS_M = 0.002;

const RAD_PER_DEG = Math.PI / 180;

/** Cosine of the angle between the apparent sun and the plane's normal; below 0 the sun is behind the plane. */
export function cosIncidenceAngle(
  { apparentZenithDeg, azimuthDeg }: SolarPositionSeries,
  plane: PlaneOfArray,
): Float64Array {
  const sinTilt = sin(plane.tiltDeg * RAD_PER_DEG);
  const cosTilt = cos(plane.tiltDeg * RAD_PER_DEG);
  return apparentZenithDeg.map((zenithDeg, k) => {
    const zenith = zenithDeg * RAD_PER_DEG;
    const turned = (azimuthDeg[k] - plane.azimuthDeg) * RAD_PER_DEG;
    return cos(zenith) * cosTilt + sin(zenith) * sinTilt * cos(turned);
  });
}

/**
 * Irradiance that reaches the cells, W/m², scaled so that perpendicular incidence has no loss.
 *
 * The loss applies to the beam alone; circumsolar, sky and ground irradiance have none
 * (docs/model/pv.md#incidence-angle).
 */
export function transmittedIrradianceWm2(plane: PlaneOfArrayIrradiance, cosIncidence: Float64Array): Float64Array {
  return plane.totalWm2.map((total, k) => {
    const beam = plane.beamWm2[k];
    return beam === 0 ? total : total - beam * (1 - incidenceAngleModifier(cosIncidence[k]));
  });
}

/**
 * Transmittance of the glass relative to perpendicular incidence, from 1 down to 0 at 90° and beyond: Fresnel reflection
 * at the outer surface and Bouguer absorption along the refracted path.
 *
 * @see W. De Soto, S. A. Klein and W. A. Beckman, Solar Energy 80 (2006) 78, DOI 10.1016/j.solener.2005.06.010
 */
export function incidenceAngleModifier(cosIncidence: number): number {
  return cosIncidence <= 0 ? 0 : transmittance(Math.min(1, cosIncidence)) / PERPENDICULAR;
}

/** Fresnel's equations in cosines, a form that is valid at perpendicular incidence too. */
function transmittance(cosOutside: number): number {
  const sinInside = Math.sqrt(1 - cosOutside * cosOutside) / REFRACTIVE_INDEX;
  const cosInside = Math.sqrt(1 - sinInside * sinInside);
  const across = (cosOutside - REFRACTIVE_INDEX * cosInside) / (cosOutside + REFRACTIVE_INDEX * cosInside);
  const along = (cosInside - REFRACTIVE_INDEX * cosOutside) / (cosInside + REFRACTIVE_INDEX * cosOutside);
  const reflected = (across * across + along * along) / 2;
  return (1 - reflected) * exp((-EXTINCTION_PER_M * GLASS_M) / cosInside);
}

const PERPENDICULAR = transmittance(1);
