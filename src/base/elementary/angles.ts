import { EIGHTH_TURN, quarterTurns, remainder } from "./quarterTurns.ts";
import { highWord, withoutLowWord } from "./words.ts";

/** 2^-27: what its square changes is beyond a double. */
const NEGLIGIBLE = 1 / 0x8000000;

export function sin(x: number): number {
  const size = Math.abs(x);
  if (size < EIGHTH_TURN) {
    if (size < NEGLIGIBLE) return x;
    const square = x * x;
    return x + square * x * (-0.16666666666666632 + square * sineTail(square));
  }
  if (!(size < Number.POSITIVE_INFINITY)) return Number.NaN;
  const turns = quarterTurns(x);
  const unsigned = turns & 1 ? nearCosine(remainder[0], remainder[1]) : nearSine(remainder[0], remainder[1]);
  return unsigned * (1 - (turns & 2));
}

export function cos(x: number): number {
  let turns = 1;
  let left = Math.abs(x);
  let lost = 0;
  if (!(left < EIGHTH_TURN)) {
    if (!(left < Number.POSITIVE_INFINITY)) return Number.NaN;
    turns = quarterTurns(left) + 1;
    left = remainder[0];
    lost = remainder[1];
  }
  const unsigned = turns & 1 ? nearCosine(left, lost) : nearSine(left, lost);
  return unsigned * (1 - (turns & 2));
}

export function tan(x: number): number {
  let turns = 0;
  let left = x;
  // Not 0, which would take the sign of -0.
  let lost = -0;
  if (!(Math.abs(x) < EIGHTH_TURN)) {
    if (!(Math.abs(x) < Number.POSITIVE_INFINITY)) return Number.NaN;
    turns = quarterTurns(x);
    left = remainder[0];
    lost = remainder[1];
  }
  return nearTangent(left, lost, turns & 1 ? -1 : 1);
}

/** The sine within ±π/4 of an angle with its lost part. */
function nearSine(x: number, lost: number): number {
  if (Math.abs(x) < NEGLIGIBLE) return x;
  const square = x * x;
  const cube = square * x;
  return x - (square * (0.5 * lost - cube * sineTail(square)) - lost - cube * -0.16666666666666632);
}

const sineTail = (square: number): number =>
  0.00833333333332249 +
  square *
    (-0.0001984126982985795 +
      square * (2.7557313707070068e-6 + square * (-2.5050760253406863e-8 + square * 1.58969099521155e-10)));

/** The cosine within ±π/4 of an angle with its lost part. */
function nearCosine(x: number, lost: number): number {
  const square = x * x;
  const tail =
    square *
    (0.0416666666666666 +
      square *
        (-0.001388888888887411 +
          square *
            (2.480158728947673e-5 +
              square * (-2.7557314351390663e-7 + square * (2.087572321298175e-9 + square * -1.1359647557788195e-11)))));
  const size = Math.abs(x);
  if (size < 0.2999999523162842) return 1 - (0.5 * square - (square * tail - x * lost));
  // A quarter of the angle without its low word, so that both differences are exact.
  const apart = size < 0.7812504768371582 ? withoutLowWord(0.25 * size) : 0.28125;
  return 1 - apart - (0.5 * square - apart - (square * tail - x * lost));
}

/** The tangent within ±π/4 of an angle with its lost part, or -1 / tangent where `power` is -1. */
function nearTangent(x: number, lost: number, power: number): number {
  const size = Math.abs(x);
  const isSteep = size >= 0.6743354797363281;
  const sign = isSteep && x < 0 ? -1 : 1;
  if (isSteep) {
    x = 0.7853981633974483 - sign * x + (3.061616997868383e-17 - sign * lost);
    lost = 0;
  }
  const square = x * x;
  const fourth = square * square;
  const odd =
    0.13333333333320124 +
    fourth *
      (0.021869488294859542 +
        fourth *
          (0.0035920791075913124 +
            fourth * (0.0005880412408202641 + fourth * (7.817944429395571e-5 + fourth * -1.8558637485527546e-5))));
  const even =
    square *
    (0.05396825397622605 +
      fourth *
        (0.0088632398235993 +
          fourth *
            (0.0014562094543252903 +
              fourth * (0.0002464631348184699 + fourth * (7.140724913826082e-5 + fourth * 2.590730518636337e-5)))));
  const cube = square * x;
  const tail =
    size < 0.5 * NEGLIGIBLE ? lost : lost + square * (cube * (odd + even) + lost) + 0.3333333333333341 * cube;
  const sum = x + tail;
  if (isSteep) return sign * (power - 2 * (x - ((sum * sum) / (sum + power) - tail)));
  return power === 1 ? sum : negativeReciprocal(x, tail);
}

/** -1 / (x + tail) with the rounding of both sum and quotient made good. */
function negativeReciprocal(x: number, tail: number): number {
  const sum = x + tail;
  const short = withoutLowWord(sum);
  const quotient = -1 / sum;
  const shortQuotient = withoutLowWord(quotient);
  return shortQuotient + quotient * (1 + shortQuotient * short + shortQuotient * (tail - (short - x)));
}

const HALF_PI_LOST = 6.123233995736766e-17;

export function asin(x: number): number {
  const size = Math.abs(x);
  if (size >= 1) return size === 1 ? x * (Math.PI / 2) + x * HALF_PI_LOST : Number.NaN;
  if (size < 0.5) return size < NEGLIGIBLE ? x : x + x * asinTail(x * x);
  const half = (1 - size) * 0.5;
  const tail = asinTail(half);
  const root = Math.sqrt(half);
  let angle: number;
  if (size >= 0.9749999046325684) angle = Math.PI / 2 - (2 * (root + root * tail) - HALF_PI_LOST);
  else {
    const short = withoutLowWord(root);
    const lost = (half - short * short) / (root + short);
    angle = Math.PI / 4 - (2 * root * tail - (HALF_PI_LOST - 2 * lost) - (Math.PI / 4 - 2 * short));
  }
  return x < 0 ? -angle : angle;
}

/** asin(√square) / √square - 1 */
const asinTail = (square: number): number =>
  (square *
    (0.16666666666666666 +
      square *
        (-0.3255658186224009 +
          square *
            (0.20121253213486293 +
              square * (-0.04005553450067941 + square * (0.0007915349942898145 + square * 3.479331075960212e-5)))))) /
  (1 +
    square *
      (-2.403394911734414 +
        square * (2.0209457602335057 + square * (-0.6882839716054533 + square * 0.07703815055590194))));

const PI_LOST = 1.2246467991473532e-16;

export function atan2(y: number, x: number): number {
  const rise = Math.abs(y);
  const run = Math.abs(x);
  const ratio = rise / run;
  if (ratio > 0x1000000000000000 && isUpright(rise, run)) return y < 0 ? -Math.PI / 2 : Math.PI / 2;
  let angle = ratio;
  if (rise !== run) angle = atanOfPositive(ratio);
  else angle = rise === 0 ? 0 : Math.PI / 4;
  if (x < 0 || Object.is(x, -0)) angle = Math.PI - (angle - PI_LOST);
  return y < 0 || Object.is(y, -0) ? -angle : angle;
}

/** Whether the first is infinite, or some 2^61 times the second by their high words. */
const isUpright = (rise: number, run: number): boolean =>
  rise === Number.POSITIVE_INFINITY || run === 0 || (highWord(rise) - highWord(run)) >> 20 > 60;

/** The arctangent by its distance from that of 0, 1/2, 1, 3/2 or infinity. */
function atanOfPositive(x: number): number {
  let near = 0;
  let lost = 0;
  if (x >= 2.4375) {
    near = Math.PI / 2;
    lost = HALF_PI_LOST;
    x = -1 / x;
  } else if (x >= 1.1875) {
    near = 0.982793723247329;
    lost = 1.3903311031230998e-17;
    x = (x - 1.5) / (1 + 1.5 * x);
  } else if (x >= 0.6875) {
    near = Math.PI / 4;
    lost = 3.061616997868383e-17;
    x = (x - 1) / (x + 1);
  } else if (x >= 0.4375) {
    near = 0.4636476090008061;
    lost = 2.2698777452961687e-17;
    x = (2 * x - 1) / (2 + x);
  }
  return near - (x * atanTail(x) - lost - x);
}

function atanTail(x: number): number {
  const square = x * x;
  const fourth = square * square;
  const odd =
    square *
    (0.3333333333333293 +
      fourth *
        (0.14285714272503466 +
          fourth *
            (0.09090887133436507 +
              fourth * (0.06661073137387531 + fourth * (0.049768779946159324 + fourth * 0.016285820115365782)))));
  const even =
    fourth *
    (-0.19999999999876483 +
      fourth *
        (-0.11111110405462356 +
          fourth * (-0.0769187620504483 + fourth * (-0.058335701337905735 + fourth * -0.036531572744216916))));
  return odd + even;
}
