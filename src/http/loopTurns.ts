import { systemClock } from "../session/wallClock.ts";

/** Real milliseconds of work in one turn of the event loop, after which the rest waits for later turns. */
const TURN_MS = 8;

/**
 * Divides work into turns of the event loop, so that neither one request nor all requests of a client hold it for long
 * (docs/model/sandbox.md#event-loop). Waiting work continues in order of arrival, one piece in a turn.
 */
export class LoopTurns {
  /** Real time at which work began in this turn; `null`: there was none yet. */
  #beganMs: number | null = null;
  #waiting: (() => void)[] = [];

  /** Whether work that begins now must wait: this turn is over, or other work waits already. */
  get isUsedUp(): boolean {
    return this.#waiting.length > 0 || this.isOver;
  }

  /** Whether the work of this turn has taken its time. */
  get isOver(): boolean {
    return systemClock.nowMs() - this.#begin() >= TURN_MS;
  }

  /** Does work now, or in a later turn if this one is used up. */
  run(work: () => void): void {
    if (this.isUsedUp) this.defer(work);
    else work();
  }

  /** Continues in a later turn. */
  defer(work: () => void): void {
    this.#begin();
    this.#waiting.push(work);
  }

  /** Resolves in a later turn. */
  next(): Promise<void> {
    return new Promise((resolve) => this.defer(resolve));
  }

  #begin(): number {
    if (this.#beganMs === null) {
      this.#beganMs = systemClock.nowMs();
      systemClock.schedule(0, () => this.#endTurn());
    }
    return this.#beganMs;
  }

  #endTurn(): void {
    this.#beganMs = null;
    const work = this.#waiting.shift();
    if (work === undefined) return;
    // The next turn ends after this work, because it is scheduled before it.
    this.#begin();
    work();
  }
}

/** Pieces of a long answer, each made when the previous one is sent, with turns of the event loop in between. */
export async function* pacedPieces(pieces: Iterable<string>, turns: LoopTurns): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (piece !== "") yield piece;
    if (turns.isUsedUp) await turns.next();
  }
}
