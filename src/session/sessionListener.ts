import type { EpochMs } from "../base/time.ts";
import type { Observer } from "../simulation/observer.ts";
import type { ClockRecord } from "./clockRecord.ts";
import type { FaultRecord } from "./fault.ts";

/** Hears what happens in a session; never changes it, and returns at once. */
export interface SessionListener {
  /** Told what the world tells; while a journal is replayed nothing. */
  readonly observer: Observer;
  /** The next instant after another at which `settled` is wanted (`Infinity`: none): the world is run no further in one go. */
  nextTickMs(afterMs: EpochMs): EpochMs;
  /** Everything due at the instant has been done: after each slice of time and after each command. */
  onSettled(nowMs: EpochMs): void;
  onClock(record: ClockRecord): void;
  /** A fault began or was ended through the sandbox. */
  onFault(record: FaultRecord): void;
  /** A reset or a restore put another world in place. */
  onRewound(): void;
}

/** A part of a server whose state belongs to an instant of the session and goes back with it (docs/model/sandbox.md#checkpoints). */
export interface Rewindable {
  /** Unique among the parts. */
  readonly name: string;
  /** JSON that `restore` takes. */
  save(): unknown;
  /** @param state  what `save` gave, or `undefined` for the state at the start */
  restore(state: unknown): void;
}
