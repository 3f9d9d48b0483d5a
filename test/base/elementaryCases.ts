// Arguments of the elementary functions, drawn by whole numbers alone so that they are the same in every engine.
import * as elementary from "../../src/base/elementary.ts";

export type ElementaryName = keyof typeof elementary;

/** What they are mostly called with, one range for each argument. */
const RANGES: Readonly<Record<ElementaryName, readonly (readonly [number, number])[]>> = {
  sin: [[-1000, 1000]],
  cos: [[-1000, 1000]],
  tan: [[-1000, 1000]],
  asin: [[-1, 1]],
  atan2: [
    [-10, 10],
    [-10, 10],
  ],
  exp: [[-750, 750]],
  expm1: [[-60, 60]],
  log: [[0, 1000]],
  log1p: [[-1, 10]],
  log10: [[0, 1e6]],
  cbrt: [[-1000, 1000]],
  pow: [
    [0, 100],
    [-40, 40],
  ],
};

export const ELEMENTARY_NAMES = Object.keys(RANGES) as ElementaryName[];

export const SPECIAL_VALUES = [
  ...[0, -0, 1, -1, 2, -2, 3, 0.5, -0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[5e-324, -5e-324, 2.225073858507201e-308, 2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE],
  ...[Math.PI, Math.PI / 2, Math.E, 0.1, 10, 1e22, 1e300, -1e-300, 709.782712893384, 709.7827128933841],
  ...[-745.1332191019411, -745.1332191019412, 0x80000000, 0x20000000000000, 1e19, 5.319372648326541e255],
];

/** Where the algorithms change their way. */
const BOUNDS = [
  ...[Math.PI / 4, 0.3, 0.78125, 0.67434, 1647099.3, 0.5, 0.975, 1, 2, 0.4375, 0.6875, 1.1875, 2.4375],
  ...[
    0.34657359,
    1.03972077,
    38.816242,
    708.396,
    0.41421356,
    0.29289322,
    Math.SQRT2,
    Math.SQRT1_2,
    1.22474487,
    1.7320508,
  ],
  ...[
    1 / 0x8000000,
    1 / 0x10000000,
    1 / 0x20000000,
    1 / 0x40000000000000,
    0x1000000000000000,
    1 / 0x100000,
    4096,
    1e-5,
  ],
];

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** Draws by Marsaglia's xorshift (doi:10.18637/jss.v008.i14). */
class Draws {
  private state: number;

  /** @param seed not 0 */
  constructor(seed: number) {
    this.state = seed;
  }

  /** -2^31 to 2^31 - 1, not 0 */
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return this.state;
  }

  below(count: number): number {
    return (this.next() >>> 0) % count;
  }

  within([low, high]: readonly [number, number]): number {
    return low + (high - low) * (((this.next() >>> 0) * 0x100000 + this.below(0x100000)) / 0x10000000000000);
  }

  argument(range: readonly [number, number]): number {
    const kind = this.below(12);
    if (kind === 0) return SPECIAL_VALUES[this.below(SPECIAL_VALUES.length)];
    if (kind === 1) return this.bits();
    if (kind === 2) return this.within([-4, 4]);
    if (kind === 3) return this.around((this.below(100_000) * Math.PI) / 2);
    if (kind === 4) return this.around(BOUNDS[this.below(BOUNDS.length)]);
    if (kind === 5) return this.below(2000) / 4 - 250;
    return this.within(range);
  }

  private bits(): number {
    words[0] = this.next();
    words[1] = this.next();
    return double[0];
  }

  /** Up to 2^k steps of a double away, with either sign. */
  private around(value: number): number {
    double[0] = this.below(2) === 0 ? value : -value;
    words[0] += this.below(1 << this.below(31)) * (this.below(2) === 0 ? 1 : -1);
    return double[0];
  }
}

/** @returns a row for each argument that the function takes */
export function drawArguments(name: ElementaryName, count: number, seed: number): Float64Array[] {
  const draws = new Draws(seed);
  const rows = RANGES[name].map(() => new Float64Array(count));
  for (let k = 0; k < count; k++) RANGES[name].forEach((range, i) => (rows[i][k] = draws.argument(range)));
  return rows;
}

type Functions = Readonly<Record<ElementaryName, (x: number, y: number) => number>>;

export const OWN_FUNCTIONS: Functions = elementary;

export function resultsOf(functions: Functions, name: ElementaryName, rows: readonly Float64Array[]): Float64Array {
  const call = functions[name];
  const second = rows[rows.length - 1];
  return rows[0].map((x, k) => call(x, second[k]));
}

/** The arguments of the table of bits. */
export const tableArguments = (name: ElementaryName): Float64Array[] => drawArguments(name, 1000, 20_000);
