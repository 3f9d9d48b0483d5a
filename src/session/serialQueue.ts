/**
 * Gives one task at a time exclusive access to the world, in order of arrival. A task that need not wait runs
 * synchronously, so that a command does not pass through the event loop.
 */
export class SerialQueue {
  #isRunning = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether an asynchronous task is running or tasks are waiting. */
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
