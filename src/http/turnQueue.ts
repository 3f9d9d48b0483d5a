import type { LoopTurns } from "../loopTurns.ts";

/** A reader with messages that wait to be written. */
interface Writable {
  /** Writes them as far as the connection accepts them. */
  flush(): void;
}

/**
 * Readers whose messages wait to be written, in turns of the event loop: a message to many readers takes longer than one
 * turn (docs/model/sandbox.md#event-loop).
 */
export class SendQueue {
  readonly #turns: LoopTurns;
  readonly #readers = new Set<Writable>();

  constructor(turns: LoopTurns) {
    this.#turns = turns;
  }

  get isEmpty(): boolean {
    return this.#readers.size === 0;
  }

  add(reader: Writable): void {
    if (this.isEmpty) this.#turns.defer(() => this.#write());
    this.#readers.add(reader);
  }

  #write(): void {
    for (const reader of this.#readers) {
      this.#readers.delete(reader);
      reader.flush();
      if (this.#turns.isOver) break;
    }
    if (!this.isEmpty) this.#turns.defer(() => this.#write());
  }
}
