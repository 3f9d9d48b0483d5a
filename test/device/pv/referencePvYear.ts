// PV power as pvlib's ModelChain gives it (haydavies, physical, no_loss, faiman, pvwatts), written from the published
// equations. Nothing of the simulator's chain is used; the sun comes from another implementation of NREL's algorithm.

import { calculate } from "@buge/solar/spa.js";

export interface ReferencePlace {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly altitudeM: number;
}

export interface ReferenceArray {
  readonly tiltDeg: number;
  readonly azimuthDeg: number;
}

export interface ReferenceWeather {
  readonly sun: ReferenceSun;
  readonly ghiWm2: number;
  /** `null`: by Erbs. */
  readonly measured: { readonly dniWm2: number; readonly dhiWm2: number } | null;
  readonly airC: number;
  readonly windMPerS: number;
}

const ALBEDO = 0.25;
const GAMMA_PER_C = -0.0037;
const DC_KW = 1200;
const AC_KW = 1000;
const EFFICIENCY = 0.96;

const rad = (deg: number): number => (deg * Math.PI) / 180;

/** Angles in radians, with refraction but for the true zenith. */
export interface ReferenceSun {
  readonly trueZenith: number;
  readonly zenith: number;
  readonly azimuth: number;
  readonly dayOfYear: number;
}

/** Power of 1200 kW of modules behind an inverter of 1000 kW, in kW AC. */
export function referencePvKw(array: ReferenceArray, weather: ReferenceWeather): number {
  const { trueZenith, zenith, azimuth, dayOfYear } = weather.sun;
  const aboveWm2 = spencerWm2(dayOfYear);
  const { ghiWm2 } = weather;
  const { dniWm2, dhiWm2 } = weather.measured ?? erbs(ghiWm2, trueZenith, aboveWm2);
  const [tilt, facing] = [rad(array.tiltDeg), rad(array.azimuthDeg)];
  const cosIncidence =
    Math.cos(zenith) * Math.cos(tilt) + Math.sin(zenith) * Math.sin(tilt) * Math.cos(azimuth - facing);
  const projection = Math.max(0, cosIncidence);
  const transmittance = dniWm2 / aboveWm2;
  const beam = dniWm2 * projection;
  const circumsolar = (dhiWm2 * transmittance * projection) / Math.max(0.01745, Math.cos(zenith));
  const sky = dhiWm2 * (1 - transmittance) * 0.5 * (1 + Math.cos(tilt));
  const ground = ghiWm2 * ALBEDO * 0.5 * (1 - Math.cos(tilt));
  const plane = beam + circumsolar + sky + ground;
  const atCells = beam * glass(Math.acos(Math.min(1, projection))) + circumsolar + sky + ground;
  const cellC = weather.airC + plane / (25 + 6.84 * weather.windMPerS);
  const dcKw = Math.max(0, ((DC_KW * atCells) / 1000) * (1 + GAMMA_PER_C * (cellC - 25)));
  const load = dcKw / (AC_KW / EFFICIENCY);
  const ratio = (EFFICIENCY / 0.9637) * (-0.0162 * load - 0.0059 / load + 0.9858);
  return load === 0 ? 0 : Math.max(0, Math.min(AC_KW, ratio * dcKw));
}

/** @param atMs  the middle of the interval of a value */
export function referenceSun({ latitudeDeg, longitudeDeg, altitudeM }: ReferencePlace, atMs: number): ReferenceSun {
  const date = new Date(atMs);
  const dayOfYear = Math.floor((atMs - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1;
  const pressureHpa = 1013.25 * (1 - 2.25577e-5 * altitudeM) ** 5.25588;
  const at = { date, ΔUT1: 0, ΔT: 70, σ: longitudeDeg, φ: latitudeDeg, E: altitudeM, T: 12 };
  const seen = calculate({ ...at, P: pressureHpa });
  const unrefracted = calculate({ ...at, P: 0 });
  return { trueZenith: rad(unrefracted.θ), zenith: rad(seen.θ), azimuth: rad(seen.Φ), dayOfYear };
}

/** Extraterrestrial irradiance by Spencer's series (1971), as pvlib's default. */
function spencerWm2(dayOfYear: number): number {
  const b = (2 * Math.PI * (dayOfYear - 1)) / 365;
  const inverseSquare =
    1.00011 + 0.034221 * Math.cos(b) + 0.00128 * Math.sin(b) + 0.000719 * Math.cos(2 * b) + 7.7e-5 * Math.sin(2 * b);
  return 1366.1 * inverseSquare;
}

/** Erbs, Klein and Duffie (1982), by the zenith without refraction. */
function erbs(ghiWm2: number, trueZenith: number, aboveWm2: number) {
  const clearness = Math.min(1, ghiWm2 / (aboveWm2 * Math.max(0.065, Math.cos(trueZenith))));
  const cloudy = 1 - 0.09 * clearness;
  const mixed =
    0.9511 - 0.1604 * clearness + 4.388 * clearness ** 2 - 16.638 * clearness ** 3 + 12.336 * clearness ** 4;
  const diffuseShare = clearness <= 0.22 ? cloudy : clearness <= 0.8 ? mixed : 0.165;
  const dniWm2 = (ghiWm2 * (1 - diffuseShare)) / Math.cos(trueZenith);
  const isBeam = trueZenith <= rad(87) && 0 <= dniWm2;
  return isBeam ? { dniWm2, dhiWm2: ghiWm2 * diffuseShare } : { dniWm2: 0, dhiWm2: ghiWm2 };
}

/** Transmittance by angles, over that at no angle: De Soto, Klein and Beckman (2006). */
function glass(incidence: number): number {
  const through = (angle: number): number => {
    const inside = Math.asin(Math.sin(angle) / 1.526);
    const sines = (Math.sin(inside - angle) / Math.sin(inside + angle)) ** 2;
    const tangents = (Math.tan(inside - angle) / Math.tan(inside + angle)) ** 2;
    return (1 - (sines + tangents) / 2) * Math.exp((-4 * 0.002) / Math.cos(inside));
  };
  return incidence >= Math.PI / 2 ? 0 : through(Math.max(1e-6, incidence)) / through(1e-6);
}
