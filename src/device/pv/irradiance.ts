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

/**
 * Beam from global and diffuse irradiance by closure.
 *
 * The beam is limited to the extraterrestrial one. The excess is added to the diffuse part, so that the closure holds.
 * With the sun below the horizon all three are 0, even where instrument offsets or twilight were measured.
 */
export function splitByDiffuse(
  ghiWm2: Float64Array,
  dhiWm2: Float64Array,
  zenithDeg: Float64Array,
  extraterrestrialWm2: Float64Array,
): Irradiance {
  const split = zeroIrradiance(ghiWm2.length);
  for (let k = 0; k < ghiWm2.length; k++) {
    if (!(0 < ghiWm2[k] && zenithDeg[k] < 90)) continue;
    const cosZenith = cosDeg(zenithDeg[k]);
    const beam = zenithDeg[k] <= NO_BEAM_ZENITH_DEG ? (ghiWm2[k] - Math.max(0, dhiWm2[k])) / cosZenith : 0;
    split.ghiWm2[k] = ghiWm2[k];
    split.dniWm2[k] = Math.max(0, Math.min(beam, extraterrestrialWm2[k]));
    split.dhiWm2[k] = Math.max(0, ghiWm2[k] - split.dniWm2[k] * cosZenith);
  }
  return split;
}

/** Diffuse irradiance from the global one and a measured beam; a beam that exceeds the closure is reduced to it. */
export function splitByBeam(ghiWm2: Float64Array, dniWm2: Float64Array, zenithDeg: Float64Array): Irradiance {
  const split = zeroIrradiance(ghiWm2.length);
  for (let k = 0; k < ghiWm2.length; k++) {
    if (!(0 < ghiWm2[k] && zenithDeg[k] < 90)) continue;
    const cosZenith = cosDeg(zenithDeg[k]);
    split.ghiWm2[k] = ghiWm2[k];
    split.dniWm2[k] = Math.max(0, Math.min(dniWm2[k], ghiWm2[k] / cosZenith));
    split.dhiWm2[k] = Math.max(0, ghiWm2[k] - split.dniWm2[k] * cosZenith);
  }
  return split;
}

/** All three as measured, without enforcing the closure; night values and negative offsets become 0. */
export function clampMeasuredIrradiance(measured: Irradiance, zenithDeg: Float64Array): Irradiance {
  const byDay = (value: number, k: number): number => (zenithDeg[k] < 90 && 0 < value ? value : 0);
  return {
    ghiWm2: measured.ghiWm2.map(byDay),
    dniWm2: measured.dniWm2.map(byDay),
    dhiWm2: measured.dhiWm2.map(byDay),
  };
}

const cosDeg = (deg: number): number => Math.cos((deg * Math.PI) / 180);

function zeroIrradiance(count: number): Irradiance {
  return { ghiWm2: new Float64Array(count), dniWm2: new Float64Array(count), dhiWm2: new Float64Array(count) };
}
