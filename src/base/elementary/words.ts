// The two halves of a double by a view of shared memory, and powers of two by a table. No half is written: to read a double
// after a write of its half costs as much as three logarithms, a DataView twice as much as the view.

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

double[0] = 1;
const HIGH = words[0] === 0 ? 1 : 0;
const LOW = 1 - HIGH;

/** Sign, exponent and the first 20 bits of the fraction. */
export function highWord(x: number): number {
  double[0] = x;
  return words[HIGH];
}

/** Doubles below have fewer bits. */
export const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** 2^(k - LEAST_POWER) */
export const powers = new Float64Array(2098);
/** Of the least positive double. */
export const LEAST_POWER = 1074;
for (let k = 0, power = Number.MIN_VALUE; k < powers.length; k++, power *= 2) powers[k] = power;

/** What the last bit of a fraction is worth, by sign and exponent. */
const lastBits = new Float64Array(4096);
for (let k = 0; k < 2048; k++) {
  lastBits[k] = powers[Math.max(0, k - 1)];
  lastBits[k + 2048] = -lastBits[k];
}

/** The double without the last 32 bits of its fraction, so that products of two of them are exact. */
export function withoutLowWord(x: number): number {
  double[0] = x;
  return x - (words[LOW] >>> 0) * lastBits[words[HIGH] >>> 20];
}
