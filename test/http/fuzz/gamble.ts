import { RandomStreams } from "../../../src/kernel/random.ts";

/** Draws of one seed. */
export class Gamble {
  readonly #stream;

  constructor(seed: number, purpose: string) {
    this.#stream = new RandomStreams(seed).stream("fuzz", purpose);
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(limit * this.#stream.unit());
  }

  chance(probability: number): boolean {
    return this.#stream.unit() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
