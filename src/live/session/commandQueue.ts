import type { Answer } from "../../api/endpoints/route.ts";
import type { MatchedRoute } from "../../api/endpoints/routes.ts";
import type { EpochMs } from "../../base/time.ts";
import type { WorldInput } from "./journal/journalEntry.ts";

/** Journals and applies an input. @param match  of a request, where its caller knows it */
type ApplyInput = (input: WorldInput, match?: MatchedRoute) => Answer | null;

/** A command of the world. */
export interface Command<T> {
  /** Applies the input of the command and reads the result right after; may throw a refusal. */
  readonly act: (nowMs: EpochMs, apply: ApplyInput) => T;
  /** Called when the command is on disk. */
  readonly onCommitted?: (result: T) => void;
}

/** What the queue requires of its session. */
interface CommandHost {
  /** The instant at which commands act now. @throws after a permanent failure */
  readonly beginCommand: () => EpochMs;
  readonly apply: ApplyInput;
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
 * Gives one task at a time exclusive access to the world, in order of arrival. A task that need not wait runs
 * synchronously, so that a command does not pass through the event loop.
 *
 * Commands run in batches: those that arrive during a write act together after it, and share the next write
 * (docs/model/sandbox.md#durability).
 */
export class CommandQueue {
  private readonly host: CommandHost;
  private isRunning = false;
  private readonly waitingTasks: (() => void)[] = [];
  /** In order of arrival. */
  private waitingCommands: WaitingCommand[] = [];
  private pendingWrite: Promise<void> | null = null;

  constructor(host: CommandHost) {
    this.host = host;
  }

  /** Resolves when everything that has acted is on disk; `null`: all is. */
  get committing(): Promise<void> | null {
    return this.pendingWrite;
  }

  run<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        try {
          const outcome = work();
          if (!(outcome instanceof Promise)) return resolve(outcome);
          this.isRunning = true;
          outcome.then(resolve, reject).finally(() => this.runWaitingTasks());
        } catch (error) {
          reject(error);
        }
      };
      if (this.isRunning || this.waitingTasks.length > 0) this.waitingTasks.push(begin);
      else begin();
    });
  }

  private runWaitingTasks(): void {
    this.isRunning = false;
    while (!this.isRunning) {
      const begin = this.waitingTasks.shift();
      if (begin === undefined) return;
      begin();
    }
  }

  runCommand<T>(command: Command<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const act = (): (() => void) => {
        const result = command.act(this.host.beginCommand(), this.host.apply);
        return () => {
          command.onCommitted?.(result);
          resolve(result);
        };
      };
      this.waitingCommands.push({ act, reject });
      if (this.waitingCommands.length === 1) this.run(() => this.runWaitingCommands()).catch(reject);
    });
  }

  private async runWaitingCommands(): Promise<void> {
    const commands = this.waitingCommands;
    this.waitingCommands = [];
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
    this.host.onCommitted();
    for (const { settle } of acted) settle();
    // Reads that waited for the disk are answered before the next commands act.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Resolves when everything that has acted is on disk; until then reads and the clock wait. */
  async commit(): Promise<void> {
    const written = this.host.synced();
    this.pendingWrite = written.catch(() => {});
    try {
      await written;
    } finally {
      this.pendingWrite = null;
    }
  }
}
