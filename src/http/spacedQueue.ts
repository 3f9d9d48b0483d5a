import type { WallClock } from "../session/wallClock.ts";

/** Items whose work comes one at a time, in order of arrival, each after a pause. An item waits once, however often it is added. */
export class SpacedQueue<Item> {
  readonly #clock: WallClock;
  readonly #pauseMs: number;
  readonly #work: (item: Item) => void;
  readonly #waiting = new Set<Item>();

  constructor(clock: WallClock, pauseMs: number, work: (item: Item) => void) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
    this.#work = work;
  }

  add(item: Item): void {
    if (this.#waiting.size === 0) this.#pause();
    this.#waiting.add(item);
  }

  #pause(): void {
    this.#clock.schedule(this.#pauseMs, () => {
      const [first] = this.#waiting;
      this.#waiting.delete(first);
      if (this.#waiting.size > 0) this.#pause();
      this.#work(first);
    });
  }
}
