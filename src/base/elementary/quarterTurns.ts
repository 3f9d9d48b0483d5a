import { highWord, LEAST_POWER, powers } from "./words.ts";

/** The first doubles whose high words are above those of π/4 and of 2^19·π/2. */
export const EIGHTH_TURN = 0.7853984832763672;
const MANY_TURNS = 1647100;

const PER_QUARTER_TURN = 0.6366197723675814;
/** π/2 in parts of 33 bits, each with what is left after it. */
const PART_1 = 1.5707963267341256;
const AFTER_1 = 6.077100506506192e-11;
const PART_2 = 6.077100506303966e-11;
const AFTER_2 = 2.0222662487959506e-21;
const PART_3 = 2.0222662487111665e-21;
const AFTER_3 = 8.4784276603689e-32;

/** What is left of an angle beyond whole quarter turns, within ±π/4, and what its rounding lost. */
export const remainder = new Float64Array(2);

/**
 * Whole quarter turns of an angle, of which only the last two bits count, and `remainder`.
 *
 * @param x finite, above π/4 in size
 */
export function quarterTurns(x: number): number {
  const size = Math.abs(x);
  if (size >= MANY_TURNS) return reduceByDigits(x);
  const turns = (x * PER_QUARTER_TURN + (x < 0 ? -0.5 : 0.5)) | 0;
  const rest = x - turns * PART_1;
  const lost = turns * AFTER_1;
  const left = rest - lost;
  remainder[0] = left;
  remainder[1] = rest - left - lost;
  if (Math.abs(left) < size / 0x10000) reduceFurther(x, turns, rest, lost);
  return turns;
}

/** Subtracts the second part of π/2, and the third, where the cancellation asks for them. */
function reduceFurther(x: number, turns: number, rest: number, lost: number): void {
  const high = highWord(x);
  if (Math.abs(turns) < 32 && high !== highWord(turns * (Math.PI / 2))) return;
  const power = powers[LEAST_POWER - 1023 + ((high >> 20) & 0x7ff)];
  if (Math.abs(rest - lost) >= power / 0x10000) return;
  let before = rest;
  lost = turns * PART_2;
  rest = before - lost;
  lost = turns * AFTER_2 - (before - rest - lost);
  if (Math.abs(rest - lost) < power / 0x2000000000000) {
    before = rest;
    lost = turns * PART_3;
    rest = before - lost;
    lost = turns * AFTER_3 - (before - rest - lost);
  }
  const left = rest - lost;
  remainder[0] = left;
  remainder[1] = rest - left - lost;
}

const DIGIT = 0x1000000;
/** 2/π after its point, in digits of 24 bits. */
// biome-ignore format: a table
const TWO_OVER_PI = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7, 0x246e3a,
  0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41,
  0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf,
  0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08,
  0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3, 0x91615e, 0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880,
  0x4d7327, 0x310606, 0x1556ca, 0x73a8c9, 0x60e27b, 0xc08c6b,
];
/** π/2 in parts of 24 bits. */
const QUARTER_TURN_DIGITS = [
  1.570796251296997, 7.549789415861596e-8, 5.390302529957765e-15, 3.282003415807913e-22, 1.270655750683076e-29,
];
/** Digits of the product below its first that are always computed. */
const ALWAYS = QUARTER_TURN_DIGITS.length - 1;

const angle = new Float64Array(3);
/** The product, its highest term first. */
const terms = new Float64Array(20);
/** The fraction of the product, its lowest digit first; what they are worth; and that times π/2, highest first. */
const digits = new Int32Array(20);
const values = new Float64Array(20);
const products = new Float64Array(20);

/** Multiplies by as many digits of 2/π as count for this exponent (Payne and Hanek, SIGNUM Newsletter 18, 1983). */
function reduceByDigits(x: number): number {
  const size = Math.abs(x);
  const exponent = (highWord(size) >> 20) - 1046;
  let rest = size * powers[LEAST_POWER - exponent];
  for (let k = 0; k < 2; k++) {
    angle[k] = Math.trunc(rest);
    rest = (rest - angle[k]) * DIGIT;
  }
  angle[2] = rest;
  const first = Math.max(0, Math.trunc((exponent - 3) / 24));
  const unitExponent = exponent - 24 * (first + 1);
  for (let count = 0, more = ALWAYS; ; ) {
    for (let k = count === 0 ? 0 : 1; k <= more; k++) terms[count + k] = productTerm(first + count + k);
    count += more;
    const { turns, top, isComplement } = splitProduct(count, unitExponent);
    if (top !== 0 || digits.subarray(ALWAYS, count).some((digit) => digit !== 0)) {
      timesQuarterTurn(count, unitExponent, top, isComplement === x < 0 ? 1 : -1);
      return x < 0 ? -turns : turns;
    }
    // The angle is so near a quarter turn that the digits so far cancel.
    for (more = 1; more <= ALWAYS && digits[ALWAYS - more] === 0; ) more++;
  }
}

function productTerm(n: number): number {
  let sum = 0;
  for (let k = 0; k <= Math.min(2, n); k++) sum += angle[k] * TWO_OVER_PI[n - k];
  return sum;
}

/** The nearest whole number of quarter turns, and the distance to it in `digits`, below the part of the highest term. */
function splitProduct(count: number, unitExponent: number) {
  let rest = terms[count];
  for (let k = 0; k < count; k++) {
    const carried = Math.trunc(rest / DIGIT);
    digits[k] = rest - DIGIT * carried;
    rest = terms[count - 1 - k] + carried;
  }
  rest *= powers[LEAST_POWER + unitExponent];
  rest -= 8 * Math.floor(rest / 8);
  let turns = Math.trunc(rest);
  let top = rest - turns;
  let isComplement = top >= 0.5;
  if (unitExponent >= 0) {
    const last = count - 1;
    const whole = digits[last] >> (24 - unitExponent);
    turns += whole;
    digits[last] -= whole << (24 - unitExponent);
    isComplement = digits[last] >> (23 - unitExponent) > 0;
  }
  if (isComplement) {
    turns++;
    const isBorrowed = complementDigits(count);
    if (unitExponent > 0) digits[count - 1] &= 0xffffff >> unitExponent;
    if (unitExponent < 0) top = 1 - top - (isBorrowed ? powers[LEAST_POWER + unitExponent] : 0);
  }
  return { turns, top, isComplement };
}

/** Subtracts the digits from 0; `true` if that borrowed one from above. */
function complementDigits(count: number): boolean {
  let isBorrowed = false;
  for (let k = 0; k < count; k++) {
    if (isBorrowed) digits[k] = DIGIT - 1 - digits[k];
    else if (digits[k] !== 0) {
      isBorrowed = true;
      digits[k] = DIGIT - digits[k];
    }
  }
  return isBorrowed;
}

function timesQuarterTurn(count: number, unitExponent: number, top: number, sign: number): void {
  let unit = powers[LEAST_POWER + unitExponent];
  const last = count + 1;
  values[last] = unit * DIGIT * Math.trunc(top / (unit * DIGIT));
  values[count] = top - values[last];
  for (let k = count - 1; 0 <= k; k--) values[k] = (unit /= DIGIT) * digits[k];
  for (let k = 0; k <= last; k++) {
    let sum = 0;
    for (let i = 0; i <= Math.min(ALWAYS, k); i++) sum += QUARTER_TURN_DIGITS[i] * values[last - k + i];
    products[k] = sum;
  }
  let sum = 0;
  for (let k = last; 0 <= k; k--) sum += products[k];
  let lost = products[0] - sum;
  for (let k = 1; k <= last; k++) lost += products[k];
  remainder[0] = sign * sum;
  remainder[1] = sign * lost;
}
