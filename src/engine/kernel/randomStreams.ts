import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { log } from "../../base/elementary.ts";
import { sha256Hex } from "../../base/ids.ts";

/** JSON-compatible state: four 32-bit words, and the second number of the last pair of normal draws if it is unused. */
export interface RandomState {
  readonly words: readonly [number, number, number, number];
  readonly spareNormal: number | null;
}

/**
 * Named random streams of one seed.
 *
 * A stream depends on (seed, purpose, owner) alone, so adding a site does not change the draws of another one. A second call
 * with the same name returns the same stream in its current state.
 */
export class RandomStreams extends Copyable {
  readonly seed: number;
  private readonly streams = new Map<string, RandomStream>();

  constructor(seed: number) {
    super();
    assert(Number.isSafeInteger(seed), () => `a seed is a whole number within 2^53; found ${seed}`);
    this.seed = seed;
  }

  getStream(purpose: string, owner: string): RandomStream {
    const name = JSON.stringify([this.seed, purpose, owner]);
    const cached = this.streams.get(name);
    if (cached !== undefined) return cached;
    const stream = new RandomStream(wordsOf(name));
    this.streams.set(name, stream);
    return stream;
  }
}

/**
 * One sequence of random numbers: xoshiro128**, period 2^128 - 1.
 *
 * @see Blackman and Vigna, Scrambled linear pseudorandom number generators, doi:10.1145/3460772
 */
export class RandomStream extends Copyable {
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private spareNormal: number | null = null;

  /** @param words  four 32-bit integers, not all 0: the generator would return 0 forever */
  constructor(words: RandomState["words"]) {
    super();
    this.restore({ words, spareNormal: null });
  }

  /** A whole number from 0 to 2^32 - 1. */
  nextUint32(): number {
    const { s1 } = this;
    const scrambled = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9);
    this.s2 ^= this.s0;
    this.s3 ^= s1;
    this.s1 ^= this.s2;
    this.s0 ^= this.s3;
    this.s2 ^= s1 << 9;
    this.s3 = rotateLeft(this.s3, 11);
    return scrambled >>> 0;
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  nextUniform(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** Exponentially distributed, `mean` at least 0; never Infinity. */
  nextExponential(mean: number): number {
    assert(0 <= mean && mean < Number.POSITIVE_INFINITY, () => `a mean is finite and not below 0; found ${mean}`);
    return -mean * log(1 - this.nextUniform());
  }

  /** Normal with mean 0 and standard deviation 1, in pairs by the polar method (doi:10.1137/1006063). */
  nextNormal(): number {
    if (this.spareNormal !== null) {
      const unused = this.spareNormal;
      this.spareNormal = null;
      return unused;
    }
    for (;;) {
      const x = 2 * this.nextUniform() - 1;
      const y = 2 * this.nextUniform() - 1;
      const square = x * x + y * y;
      if (square <= 0 || 1 <= square) continue;
      const scale = Math.sqrt((-2 * log(square)) / square);
      this.spareNormal = y * scale;
      return x * scale;
    }
  }

  saveState(): RandomState {
    return { words: [this.s0 >>> 0, this.s1 >>> 0, this.s2 >>> 0, this.s3 >>> 0], spareNormal: this.spareNormal };
  }

  restore({ words, spareNormal }: RandomState): void {
    assert(
      words.some((word) => (word | 0) !== 0),
      "a random stream needs one word that is not 0",
    );
    this.s0 = words[0] | 0;
    this.s1 = words[1] | 0;
    this.s2 = words[2] | 0;
    this.s3 = words[3] | 0;
    this.spareNormal = spareNormal;
  }
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function wordsOf(name: string): RandomState["words"] {
  const hex = sha256Hex(name);
  const word = (index: number) => Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16);
  return [word(0), word(1), word(2), word(3)];
}
