import { RandomStreams } from "../../../src/kernel/randomStreams.ts";

/** Draws of one seed. */
export class SeededChooser {
  readonly #stream;

  constructor(seed: number, purpose: string) {
    this.#stream = new RandomStreams(seed).getStream("fuzz", purpose);
  }

  /** A whole number from 0 up to, not including, a limit. */
  below(limit: number): number {
    return Math.floor(limit * this.#stream.nextUniform());
  }

  chance(probability: number): boolean {
    return this.#stream.nextUniform() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
