import type { Redis } from "ioredis";
import { QueueError, type QueueTimings } from "./queueNames.ts";

interface RedisWatchOptions {
  /** For messages: without the password. */
  readonly address: string;
  readonly timings: QueueTimings;
  /** What happens when the server is gone for good, for the last message. */
  readonly consequence: string;
  readonly warn: (text: string) => void;
}

/**
 * Polls a Redis server. The client itself reconnects without limit, and a server that hangs does not even close the
 * connection.
 */
export class RedisWatch {
  readonly #redis: Redis;
  readonly #options: RedisWatchOptions;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #isWaiting = false;
  /** Polls without an answer. They are counted, since this thread may have been busy for longer than the limit. */
  #misses = 0;
  #isWarned = false;

  constructor(redis: Redis, options: RedisWatchOptions) {
    this.#redis = redis;
    this.#options = options;
    // not simulated: watches the server.
    this.#timer = setInterval(() => this.#poll(), options.timings.pollMs);
  }

  /** Aborted with a `QueueError` once the server is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #poll(): void {
    if (this.#isWaiting) return this.#miss();
    this.#isWaiting = true;
    this.#redis
      .ping()
      .then(
        () => this.#answered(),
        () => this.#miss(),
      )
      .finally(() => {
        this.#isWaiting = false;
      });
  }

  #answered(): void {
    this.#misses = 0;
    if (this.#isWarned) this.#options.warn(`the Redis server ${this.#options.address} answers again`);
    this.#isWarned = false;
  }

  #miss(): void {
    const { address, consequence, warn, timings } = this.#options;
    const missesMax = Math.ceil(timings.giveUpMs / timings.pollMs);
    const limitS = timings.giveUpMs / 1000;
    this.#misses++;
    if (this.#misses === WARNED_MISSES) {
      this.#isWarned = true;
      warn(`the Redis server ${address} does not answer; waiting up to ${limitS} s for it`);
    }
    if (this.#misses < missesMax) return;
    this.close();
    this.#lost.abort(new QueueError(`the Redis server ${address} has not answered for ${limitS} s; ${consequence}`));
  }
}

/** Polls without an answer before a warning: one may only be slow. */
const WARNED_MISSES = 2;
