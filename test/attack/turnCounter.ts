/** Counts the turns of the event loop until it is stopped. */
export class TurnCounter {
  turn = 0;
  #isOver = false;

  constructor() {
    const count = (): void => {
      this.turn++;
      if (!this.#isOver) setImmediate(count);
    };
    setImmediate(count);
  }

  stop(): void {
    this.#isOver = true;
  }
}

/** Holds this thread, and with it the event loop. */
export function hold(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
