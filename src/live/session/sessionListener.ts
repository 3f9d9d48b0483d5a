import type { EpochMs } from "../../base/time.ts";
import type { Observer } from "../../engine/simulation/observer.ts";
import type { RecoveredCommand } from "./keyedCommand.ts";
import type { ClockRecord, FaultRecord } from "./sandboxCommands.ts";
import type { Credential } from "./tokenSecrets.ts";

/** Observes a session without changing it; its methods return immediately. */
export interface SessionListener {
  /** Receives the world's events, except those of a replay. */
  readonly observer: Partial<Observer>;
  /** Next instant at which `onSettled` is requested (`Infinity`: none); a slice does not pass it. */
  nextTickMs(afterMs: EpochMs): EpochMs;
  /** All events of the instant are processed; called after each slice and after each command. */
  onSettled(nowMs: EpochMs): void;
  onClock(record: ClockRecord): void;
  /** A fault began or was ended through the sandbox. */
  onFault(record: FaultRecord): void;
  /** A reset or restore replaced the world. */
  onRewound(): void;
  /** A refresh token was revoked, and with it the access tokens of its holder. */
  onRevoked(holder: Pick<Credential, "kind" | "id">): void;
}

/**
 * Server state that belongs to an instant of the session and is restored with it (docs/model/sandbox.md#checkpoints).
 */
export interface Rewindable {
  /** Unique within a session. */
  readonly name: string;
  /** JSON for `restore`, whose length does not grow with the session; `undefined`: nothing. */
  save(): unknown;
  /**
   * Called before a replay. The returned function collects each command that the replay executes again, oldest first,
   * for the next `restore`. No `restore` follows a cancelled replay.
   */
  collect?(): (command: RecoveredCommand) => void;
  /** @param state  result of `save`, or `undefined` for the initial state */
  restore(state: unknown): void;
}
