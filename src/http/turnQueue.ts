import type { LoopTurns } from "./loopTurns.ts";

/**
 * Items whose work takes longer than one turn of the event loop together: each turn does as many as fit, in order of arrival
 * (docs/model/sandbox.md#event-loop). An item waits once, however often it is added.
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
