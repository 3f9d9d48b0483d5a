import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";

/** Random choices from one seed. */
export class SeededChooser {
  private readonly stream;

  constructor(seed: number, purpose: string) {
    this.stream = new RandomStreams(seed).getStream("fuzz", purpose);
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(limit * this.stream.nextUniform());
  }

  chance(probability: number): boolean {
    return this.stream.nextUniform() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
