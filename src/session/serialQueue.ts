/**
 * Lets one piece of work at a time have the world, in order of arrival. What need not wait runs at once, within the
 * call: a command while the clock stands or runs takes no detour over the event loop.
 */
export class SerialQueue {
  #isRunning = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether a long piece of work, or one that waits, has the world. */
  get isBusy(): boolean {
    return this.#isRunning || this.#waiting.length > 0;
  }

  run<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        try {
          const outcome = work();
          if (!(outcome instanceof Promise)) return resolve(outcome);
          this.#isRunning = true;
          outcome.then(resolve, reject).finally(() => this.#runWaiting());
        } catch (error) {
          reject(error);
        }
      };
      if (this.isBusy) this.#waiting.push(begin);
      else begin();
    });
  }

  #runWaiting(): void {
    this.#isRunning = false;
    while (!this.#isRunning) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      begin();
    }
  }
}
