import type { LoopTurns } from "./loopTurns.ts";

/**
 * A queue whose items are processed in turns of the event loop, in order of arrival: each turn processes as many as fit
 * (docs/model/sandbox.md#event-loop). An item is in the queue at most once.
 */
export class TurnQueue<Item> {
  readonly #turns: LoopTurns;
  readonly #work: (item: Item) => void;
  readonly #waiting = new Set<Item>();

  constructor(turns: LoopTurns, work: (item: Item) => void) {
    this.#turns = turns;
    this.#work = work;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(item: Item): void {
    if (this.isEmpty) this.#turns.defer(() => this.#workTurn());
    this.#waiting.add(item);
  }

  #workTurn(): void {
    for (const item of this.#waiting) {
      this.#waiting.delete(item);
      this.#work(item);
      if (this.#turns.isOver) break;
    }
    if (!this.isEmpty) this.#turns.defer(() => this.#workTurn());
  }
}
