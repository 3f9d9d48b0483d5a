import { LEAST_POWER, powers } from "./words.ts";

const LN2 = 0.6931471803691238;
const LN2_LOST = 1.9082149292705877e-10;
const PER_LN2 = Math.LOG2E;
/** The first doubles whose high words are above those of ln 2 / 2 and 3 ln 2 / 2. */
const HALF_LN2 = 0.3465735912322998;
const SESQUI_LN2 = 1.0397205352783203;
/** ln(Number.MAX_VALUE) */
const LARGEST = 709.782712893384;

/** The nearest whole number of ln 2 for an x beyond half of it. */
function nearestOctave(x: number): number {
  const sign = x < 0 ? -1 : 1;
  return Math.abs(x) < SESQUI_LN2 ? sign : (PER_LN2 * x + 0.5 * sign) | 0;
}

/** The product with a power of two, rounded once where it is subnormal. */
export function timesPowerOfTwo(x: number, exponent: number): number {
  const half = exponent >> 1;
  return x * powers[LEAST_POWER + half] * powers[LEAST_POWER + exponent - half];
}

export function exp(x: number): number {
  const size = Math.abs(x);
  if (!(size < HALF_LN2)) return expOfLarge(x);
  if (size < 1 / 0x10000000) return 1 + x;
  const tail = expTail(x);
  return 1 - ((x * tail) / (tail - 2) - x);
}

/** A function of its own, so that callers are compiled with the usual case in their midst. */
function expOfLarge(x: number): number {
  if (x > LARGEST) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  // The algorithm misses the last bit of e.
  if (x === 1) return Math.E;
  if (Number.isNaN(x)) return x;
  const octave = nearestOctave(x);
  const high = x - octave * LN2;
  const lost = octave * LN2_LOST;
  const rest = high - lost;
  const tail = expTail(rest);
  const power = 1 - (lost - (rest * tail) / (2 - tail) - high);
  return -1021 <= octave && octave < 1024 ? power * powers[LEAST_POWER + octave] : timesPowerOfTwo(power, octave);
}

/** x - x²·(…) of Remez, such that exp(x) = 1 + x + x·tail / (2 - tail). */
export function expTail(x: number): number {
  const square = x * x;
  return (
    x -
    square *
      (0.16666666666666602 +
        square *
          (-0.0027777777777015593 +
            square * (6.613756321437934e-5 + square * (-1.6533902205465252e-6 + square * 4.1381367970572385e-8))))
  );
}

export function expm1(x: number): number {
  const size = Math.abs(x);
  if (!(size < HALF_LN2)) return expm1OfLarge(x);
  return size < 1 / 0x40000000000000 ? x : x - expm1Rest(x, 0);
}

function expm1OfLarge(x: number): number {
  if (x > LARGEST) return Number.POSITIVE_INFINITY;
  if (x <= -38.81622314453125) return -1;
  if (Number.isNaN(x)) return x;
  const octave = nearestOctave(x);
  const high = x - octave * LN2;
  const low = octave * LN2_LOST;
  const near = high - low;
  const rest = expm1Rest(near, high - near - low);
  if (octave === -1) return 0.5 * (near - rest) - 0.5;
  if (octave === 1) return near < -0.25 ? -2 * (rest - (near + 0.5)) : 1 + 2 * (near - rest);
  if (octave <= -2 || 56 < octave) return timesPowerOfTwo(1 - (rest - near), octave) - 1;
  const one = powers[LEAST_POWER - octave];
  return (octave < 20 ? 1 - one - (rest - near) : near - (rest + one) + 1) * powers[LEAST_POWER + octave];
}

/** x - expm1(x) of an x within ±ln 2 / 2 that lost something in rounding. */
function expm1Rest(x: number, lost: number): number {
  const half = 0.5 * x;
  const square = x * half;
  const ratio =
    1 +
    square *
      (-0.03333333333333313 +
        square *
          (0.0015873015872548146 +
            square * (-7.93650757867488e-5 + square * (4.008217827329362e-6 + square * -2.0109921818362437e-7))));
  const divisor = 3 - ratio * half;
  const curved = square * ((ratio - divisor) / (6 - x * divisor));
  return x * (curved - lost) - lost - square;
}
