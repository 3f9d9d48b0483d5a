import { highWord, LEAST_POWER, powers, SMALLEST_NORMAL } from "./words.ts";

const LN2 = 0.6931471803691238;
const LN2_LOST = 1.9082149292705877e-10;

export function log(x: number): number {
  let exponent = 0;
  if (x < SMALLEST_NORMAL) {
    if (x <= 0) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
    exponent = -54;
    x *= 0x40000000000000;
  }
  if (!(x < Number.POSITIVE_INFINITY)) return x;
  const high = highWord(x);
  const fraction = high & 0xfffff;
  // Into √2/2 … √2.
  const binary = (high >> 20) - 1023 + ((fraction + 0x95f64) >> 20);
  const f = x * powers[LEAST_POWER - binary] - 1;
  exponent += binary;
  const ofExponent = exponent * LN2;
  const lost = exponent * LN2_LOST;
  if (((fraction + 2) & 0xfffff) < 3) {
    if (f === 0) return ofExponent + lost;
    return ofExponent - (f * f * (0.5 - 0.3333333333333333 * f) - lost - f);
  }
  const s = f / (2 + f);
  const square = s * s;
  const fourth = square * square;
  const tail =
    square *
      (0.6666666666666735 +
        fourth * (0.2857142874366239 + fourth * (0.1818357216161805 + fourth * 0.14798198605116586))) +
    fourth * (0.3999999999940942 + fourth * (0.22222198432149784 + fourth * 0.15313837699209373));
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) <= 0) return ofExponent - (s * (f - tail) - lost - f);
  const half = 0.5 * f * f;
  return ofExponent - (half - (s * (half + tail) + lost) - f);
}

export function log10(x: number): number {
  if (!(0 < x && x < Number.POSITIVE_INFINITY)) return log(x);
  let exponent = 0;
  if (x < SMALLEST_NORMAL) {
    exponent = -54;
    x *= 0x40000000000000;
  }
  // Into 1 … 2, or 1/2 … 1 where the exponent is negative.
  let binary = (highWord(x) >> 20) - 1023;
  if (binary < 0) binary++;
  exponent += binary;
  const rest = exponent * 3.694239077158931e-13 + Math.LOG10E * log(x * powers[LEAST_POWER - binary]);
  return rest + exponent * 0.30102999566361177;
}

export function log1p(x: number): number {
  const size = Math.abs(x);
  if (x <= -1) return x === -1 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (!(x < Number.POSITIVE_INFINITY)) return x;
  if (size < 1 / 0x20000000) return size < 1 / 0x40000000000000 ? x : x - x * x * 0.5;
  if (-0.292893648147583 < x && x < 0.4142136573791504) return x - log1pRest(x, 0);
  const sum = x < 0x20000000000000 ? 1 + x : x;
  const high = highWord(sum);
  const fraction = high & 0xfffff;
  const carry = fraction < 0x6a09e ? 0 : 1;
  const binary = (high >> 20) - 1023;
  const lost = x < 0x20000000000000 ? (0 < binary ? 1 - (sum - x) : x - (sum - 1)) / sum : 0;
  const exponent = binary + carry;
  const f = sum * powers[LEAST_POWER - exponent] - 1;
  const isNearPower = carry === 0 ? fraction === 0 : fraction > 0xffffc;
  const ofExponent = exponent * LN2;
  const low = exponent * LN2_LOST + lost;
  if (!isNearPower) return ofExponent - (log1pRest(f, low) - f);
  if (f === 0) return ofExponent + low;
  return ofExponent - (0.5 * f * f * (1 - 0.6666666666666666 * f) - low - f);
}

/** x - log(1 + x) - low within √2/2 - 1 … √2 - 1. */
function log1pRest(x: number, low: number): number {
  const s = x / (2 + x);
  const square = s * s;
  const tail =
    square *
    (0.6666666666666735 +
      square *
        (0.3999999999940942 +
          square *
            (0.2857142874366239 +
              square *
                (0.22222198432149784 +
                  square * (0.1818357216161805 + square * (0.15313837699209373 + square * 0.14798198605116586))))));
  const half = 0.5 * x * x;
  return half - (s * (half + tail) + low);
}
