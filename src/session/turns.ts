/**
 * Lets one piece of work at a time have the world, in order of arrival. What need not wait runs at once, within the
 * call: a command while the clock stands or runs takes no detour over the event loop.
 */
export class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether a long piece of work, or one that waits, has the world. */
  get taken(): boolean {
    return this.#taken || this.#waiting.length > 0;
  }

  take<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        try {
          const outcome = work();
          if (!(outcome instanceof Promise)) return resolve(outcome);
          this.#taken = true;
          outcome.then(resolve, reject).finally(() => this.#release());
        } catch (error) {
          reject(error);
        }
      };
      if (this.taken) this.#waiting.push(begin);
      else begin();
    });
  }

  #release(): void {
    this.#taken = false;
    while (!this.#taken) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      begin();
    }
  }
}
