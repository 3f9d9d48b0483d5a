/** Powers of ten that a double holds exactly; a whole number below 2^53 divided by one is rounded once, so correctly. */
export const POWERS_OF_TEN: readonly number[] = Array.from({ length: 16 }, (_, k) => Number(`1e${k}`));

/** Rounds half away from zero to a number of decimals; never gives -0. */
export function roundTo(value: number, decimals: number): number {
  const scale = POWERS_OF_TEN[decimals];
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale || 0;
}

/** A figure as files have it, at three decimals; `null`: it does not apply. */
export const roundFigure = (value: number | null): number | null => (value === null ? null : roundTo(value, 3));

/** kW as the APIs print them: one decimal, half away from zero (docs/model/time.md#rounding). */
export const roundKw = (kw: number): number => (Math.sign(kw) * Math.round(Math.abs(kw) * 10)) / 10 || 0;

/** A power as a whole number of tenths of kW, half away from zero (docs/model/time.md#rounding). */
export const toTenths = (kw: number): number => Math.sign(kw) * Math.round(Math.abs(kw) * 10) || 0;

/** The largest whole number of 0.1 kW that is not above a non-negative power (docs/model/time.md#floor-to-tenths). */
export const floorToTenths = (kw: number): number => Math.floor(10 * kw + 1e-6);

/** kWh or kW as a whole number of thousandths, half away from zero. */
export const toThousandths = (value: number): number =>
  (value < 0 ? -Math.round(-value * 1000) : Math.round(value * 1000)) || 0;
