import type { EpochMs } from "../base/time.ts";
import type { Answer } from "../endpoints/route.ts";
import type { WorldInput } from "./journal/journalEntry.ts";
import type { SerialQueue } from "./serialQueue.ts";

/** A command of the world. */
export interface Command<T> {
  /** The journal entry of the command; may throw a refusal. */
  readonly inputAt: (nowMs: EpochMs) => WorldInput;
  /** Reads the result right after the command has acted. */
  readonly outcome: (answer: Answer | null) => T;
  /** Called when the command is on disk. */
  readonly onCommitted: (result: T) => void;
}

/** What batches of commands require of their session. */
interface CommandHost {
  /** The instant at which commands act now. @throws after a permanent failure */
  readonly beginCommand: () => EpochMs;
  /** Journals and applies an input. */
  readonly apply: (input: WorldInput) => Answer | null;
  /** Resolves when all applied inputs are on disk. */
  readonly synced: () => Promise<void>;
  /** Called when a batch is on disk, before its commands are answered. */
  readonly onCommitted: () => void;
}

interface WaitingCommand {
  /** Journals and applies the command. @returns what to do when it is on disk */
  readonly act: () => () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs commands in batches: those that arrive during a write act together after it, and share the next write
 * (docs/model/sandbox.md#durability).
 */
export class CommandBatches {
  readonly #host: CommandHost;
  readonly #queue: SerialQueue;
  /** In order of arrival. */
  #waiting: WaitingCommand[] = [];
  #committing: Promise<void> | null = null;

  constructor(queue: SerialQueue, host: CommandHost) {
    this.#queue = queue;
    this.#host = host;
  }

  /** Resolves when everything that has acted is on disk; `null`: all is. */
  get committing(): Promise<void> | null {
    return this.#committing;
  }

  run<T>({ inputAt, outcome, onCommitted }: Command<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const act = (): (() => void) => {
        const result = outcome(this.#host.apply(inputAt(this.#host.beginCommand())));
        return () => {
          onCommitted(result);
          resolve(result);
        };
      };
      this.#waiting.push({ act, reject });
      if (this.#waiting.length === 1) this.#queue.run(() => this.#runWaiting()).catch(reject);
    });
  }

  async #runWaiting(): Promise<void> {
    const commands = this.#waiting;
    this.#waiting = [];
    const acted: { readonly settle: () => void; readonly reject: (error: unknown) => void }[] = [];
    for (const { act, reject } of commands) {
      try {
        acted.push({ settle: act(), reject });
      } catch (error) {
        reject(error);
      }
    }
    if (acted.length === 0) return;
    try {
      await this.commit();
    } catch (error) {
      for (const { reject } of acted) reject(error);
      return;
    }
    this.#host.onCommitted();
    for (const { settle } of acted) settle();
    // Reads that waited for the disk are answered before the next commands act.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Resolves when everything that has acted is on disk; until then reads and the clock wait. */
  async commit(): Promise<void> {
    const written = this.#host.synced();
    this.#committing = written.catch(() => {});
    try {
      await written;
    } finally {
      this.#committing = null;
    }
  }
}
