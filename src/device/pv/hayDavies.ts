import type { Irradiance } from "./irradiance.ts";

/** How a plane stands: 0 flat to 90 upright; azimuth of its normal from north over east, 180 south. */
export interface PlaneOfArray {
  readonly tiltDeg: number;
  readonly azimuthDeg: number;
  /** Share of the global irradiance that the ground throws back, 0..1. */
  readonly albedo: number;
}

/** Irradiance on a tilted plane by where it comes from, W/m², one value per instant. */
export interface PlaneOfArrayIrradiance {
  /** Beam and circumsolar diffuse, both from the sun's place. */
  readonly directWm2: Float64Array;
  /** Isotropic part of the sky. */
  readonly skyWm2: Float64Array;
  readonly groundWm2: Float64Array;
  /** Sum of the three. */
  readonly totalWm2: Float64Array;
}

/** Beam over diffuse geometry is cut at this cosine of the zenith (89°), as usual for the model. */
const MIN_COS_ZENITH = 0.01745;

/**
 * Transposition to a plane: circumsolar diffuse as the beam, in the share of the beam that came through the air; the
 * rest of the sky and the ground isotropic.
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
  const directWm2 = new Float64Array(count);
  const skyWm2 = new Float64Array(count);
  const groundWm2 = new Float64Array(count);
  const totalWm2 = new Float64Array(count);
  const cosTilt = Math.cos((plane.tiltDeg * Math.PI) / 180);
  const skySeen = (1 + cosTilt) / 2;
  const groundSeen = (plane.albedo * (1 - cosTilt)) / 2;
  for (let k = 0; k < count; k++) {
    if (ghiWm2[k] === 0 && dniWm2[k] === 0 && dhiWm2[k] === 0) continue;
    const facing = Math.max(0, cosIncidence[k]);
    const cosZenith = Math.max(MIN_COS_ZENITH, Math.cos((zenithDeg[k] * Math.PI) / 180));
    const anisotropy = Math.min(1, dniWm2[k] / extraterrestrialWm2[k]);
    directWm2[k] = facing * (dniWm2[k] + (dhiWm2[k] * anisotropy) / cosZenith);
    skyWm2[k] = dhiWm2[k] * (1 - anisotropy) * skySeen;
    groundWm2[k] = ghiWm2[k] * groundSeen;
    totalWm2[k] = directWm2[k] + skyWm2[k] + groundWm2[k];
  }
  return { directWm2, skyWm2, groundWm2, totalWm2 };
}
