import { expTail, timesPowerOfTwo } from "./exponential.ts";
import { highWord, LEAST_POWER, powers, SMALLEST_NORMAL, withoutLowWord } from "./words.ts";

export function cbrt(x: number): number {
  let size = Math.abs(x);
  if (x === 0 || !(size < Number.POSITIVE_INFINITY)) return x;
  const isSubnormal = size < SMALLEST_NORMAL;
  if (isSubnormal) size *= 0x40000000000000;
  const third = ((highWord(size) >> 20) / 3) | 0;
  // Into 1 … 8, where a third of exponent and fraction together is right within 1/32.
  size *= powers[LEAST_POWER + 1023 - 3 * third];
  const high = ((highWord(size) / 3) | 0) + 715094163;
  const rough = high < 0x3ff00000 ? high / 0x200000 - 510.5 : high / 0x100000 - 1022;
  const ratio = rough * rough * (rough / size);
  const better =
    rough *
    (1.87595182427177 +
      ratio * (-1.8849797954337717 + ratio * 1.6214297201053545) +
      ratio * ratio * ratio * (-0.758397934778766 + ratio * 0.14599619288661245));
  // Two units of 23 bits above, with which one step of Newton's has an exact square.
  const units = ((better * 0x400000) | 0) + 2;
  const short = (units < 0x800000 ? units : 2 * units - 0x800000) / 0x400000;
  const quotient = size / (short * short);
  const root = short + short * ((quotient - short) / (short + short + quotient));
  const scaled = root * powers[LEAST_POWER + third - (isSubnormal ? 359 : 341)];
  return x < 0 ? -scaled : scaled;
}

export function pow(x: number, y: number): number {
  if (y === 2) return x * x;
  if (0 < x && x < Number.POSITIVE_INFINITY && Math.abs(y) < Number.POSITIVE_INFINITY) return powOfPositive(x, y);
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (size === 1) return Number.NaN;
    return 1 < size === 0 < y ? Number.POSITIVE_INFINITY : 0;
  }
  const isNegative = x < 0 || Object.is(x, -0);
  const sign = isNegative && Math.abs(y % 2) === 1 ? -1 : 1;
  if (size === 0 || size === Number.POSITIVE_INFINITY) return sign * (y < 0 ? 1 / size : size);
  return Number.isInteger(y) ? sign * powOfPositive(size, y) : Number.NaN;
}

/** The binary logarithm in two parts, of which the first has a low word of 0. */
const logarithm = new Float64Array(2);

function powOfPositive(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -1) return 1 / x;
  if (Math.abs(y) >= 2147485696 && 0.9999995231628418 <= x && x < 1.0000009536743164) logOfNearOne(x);
  else logOfPositive(x);
  const short = withoutLowWord(y);
  const low = (y - short) * logarithm[0] + y * logarithm[1];
  const high = short * logarithm[0];
  const exponent = low + high;
  if (exponent > 1024 || (exponent === 1024 && low + 8.008566259537294e-17 > exponent - high))
    return Number.POSITIVE_INFINITY;
  if (exponent < -1075 || (exponent === -1075 && low <= exponent - high)) return 0;
  const size = Math.abs(exponent);
  const octave = size < 0.5000004768371582 ? 0 : Math.sign(exponent) * Math.floor(size + 0.5);
  return timesPowerOfTwo(exp2OfSmall(high - octave, low), octave);
}

/** 2 to the power of a sum within ±1/2. */
function exp2OfSmall(high: number, low: number): number {
  const sum = withoutLowWord(low + high);
  const near = sum * 0.6931471824645996;
  const rest = (low - (sum - high)) * Math.LN2 + sum * -1.904654299957768e-9;
  const x = near + rest;
  const lost = rest - (x - near);
  const tail = expTail(x);
  // The algorithm subtracts `lost` from the quotient. That V8 does so from the divisor costs a bit at times, and is kept.
  return 1 - ((x * tail) / (tail - 2 - (lost + x * lost)) - x);
}

/** By x - x²/2 + x³/3 - x⁴/4. */
function logOfNearOne(x: number): void {
  const rest = x - 1;
  const square = rest * rest * (0.5 - rest * (0.3333333333333333 - rest * 0.25));
  const high = 1.4426950216293335 * rest;
  const low = rest * 1.9259629911266175e-8 - square * Math.LOG2E;
  logarithm[0] = withoutLowWord(high + low);
  logarithm[1] = low - (logarithm[0] - high);
}

function logOfPositive(x: number): void {
  let exponent = 0;
  if (x < SMALLEST_NORMAL) {
    x *= 0x20000000000000;
    exponent = -53;
  }
  const high = highWord(x);
  const fraction = high & 0xfffff;
  // Near 1 or 3/2.
  const isBelowOne = 0xbb67a <= fraction;
  const isNearOne = isBelowOne || fraction <= 0x3988e;
  const near = isNearOne ? 1 : 1.5;
  const binary = (high >> 20) - (isBelowOne ? 1022 : 1023);
  exponent += binary;
  x *= powers[LEAST_POWER - binary];

  // (x - near) / (x + near) as a short double and its rest
  const difference = x - near;
  const reciprocal = 1 / (x + near);
  const ss = difference * reciprocal;
  const sHigh = withoutLowWord(ss);
  const sumHigh = isBelowOne ? 1.5 + (fraction >> 1) / 0x100000 : near + 1 + (fraction & ~1) / 0x100000;
  const sumLow = x - (sumHigh - near);
  const sLow = reciprocal * (difference - sHigh * sumHigh - sHigh * sumLow);

  const square = ss * ss;
  const tail =
    square *
      square *
      (0.5999999999999946 +
        square *
          (0.4285714285785502 +
            square *
              (0.33333332981837743 +
                square * (0.272728123808534 + square * (0.23066074577556175 + square * 0.20697501780033842))))) +
    sLow * (sHigh + ss);
  const squareHigh = sHigh * sHigh;
  const tHigh = ((0x80000 * (3 + squareHigh + tail)) | 0) / 0x80000;
  const tLow = tail - (tHigh - 3 - squareHigh);
  const u = sHigh * tHigh;
  const v = sLow * tHigh + tLow * ss;
  const pHigh = withoutLowWord(u + v);
  const pLow = v - (pHigh - u);
  const zHigh = 0.9617967009544373 * pHigh;
  const zLow = -7.028461650952758e-9 * pHigh + pLow * 0.9617966939259756 + (isNearOne ? 0 : 1.350039202129749e-8);
  const nearHigh = isNearOne ? 0 : 0.5849624872207642;
  logarithm[0] = withoutLowWord(zHigh + zLow + nearHigh + exponent);
  logarithm[1] = zLow - (logarithm[0] - exponent - nearHigh - zHigh);
}
