import { cos } from "../../../base/elementary.ts";
import type { Irradiance } from "./irradiance.ts";

/** Orientation in degrees: tilt 0 horizontal to 90 vertical; azimuth of the normal from north over east, 180 south. */
export interface PlaneOfArray {
  readonly tiltDeg: number;
  readonly azimuthDeg: number;
  /** Share of the global irradiance that the ground reflects, 0..1. */
  readonly albedo: number;
}

/** Irradiance on a tilted plane by origin, W/m², one value per instant. */
export interface PlaneOfArrayIrradiance {
  /** Beam alone: DNI·cos of the incidence. */
  readonly beamWm2: Float64Array;
  /** Part of the diffuse irradiance from around the sun. */
  readonly circumsolarWm2: Float64Array;
  /** Isotropic part of the sky. */
  readonly skyWm2: Float64Array;
  readonly groundWm2: Float64Array;
  /** Sum of the four. */
  readonly totalWm2: Float64Array;
}

/** Lower bound of the cosine of the zenith (89°) in the projection of the beam, as usual for the model. */
const MIN_COS_ZENITH = 0.01745;

/**
 * Transposition to a plane. The circumsolar share of the diffuse irradiance is the transmittance of the beam through the
 * atmosphere; that share is projected like the beam. The rest of the sky and the ground are isotropic.
 *
 * @param cosIncidence  of the beam on the plane, from `cosIncidenceAngle`
 * @see J. E. Hay and J. A. Davies, Proc. First Canadian Solar Radiation Data Workshop (1980) 59; form and ground term as
 *   in P. G. Loutzenhiser et al., Solar Energy 81 (2007) 254, DOI 10.1016/j.solener.2006.03.009
 */
export function hayDavies(
  { ghiWm2, dniWm2, dhiWm2 }: Irradiance,
  zenithDeg: Float64Array,
  cosIncidence: Float64Array,
  extraterrestrialWm2: Float64Array,
  plane: PlaneOfArray,
): PlaneOfArrayIrradiance {
  const count = ghiWm2.length;
  const beamWm2 = new Float64Array(count);
  const circumsolarWm2 = new Float64Array(count);
  const skyWm2 = new Float64Array(count);
  const groundWm2 = new Float64Array(count);
  const totalWm2 = new Float64Array(count);
  const cosTilt = cos((plane.tiltDeg * Math.PI) / 180);
  const skyViewFactor = (1 + cosTilt) / 2;
  const groundFactor = (plane.albedo * (1 - cosTilt)) / 2;
  for (let k = 0; k < count; k++) {
    if (ghiWm2[k] === 0 && dniWm2[k] === 0 && dhiWm2[k] === 0) continue;
    const projection = Math.max(0, cosIncidence[k]);
    const cosZenith = Math.max(MIN_COS_ZENITH, cos((zenithDeg[k] * Math.PI) / 180));
    const anisotropy = Math.min(1, dniWm2[k] / extraterrestrialWm2[k]);
    beamWm2[k] = projection * dniWm2[k];
    circumsolarWm2[k] = (projection * dhiWm2[k] * anisotropy) / cosZenith;
    skyWm2[k] = dhiWm2[k] * (1 - anisotropy) * skyViewFactor;
    groundWm2[k] = ghiWm2[k] * groundFactor;
    totalWm2[k] = beamWm2[k] + circumsolarWm2[k] + skyWm2[k] + groundWm2[k];
  }
  return { beamWm2, circumsolarWm2, skyWm2, groundWm2, totalWm2 };
}
