import { assert } from "../../base/assert.ts";
import type { EpochMs } from "../../base/time.ts";
import type { CommandQueue } from "./commandQueue.ts";
import type { HostedWorld } from "./hostedWorld.ts";
import type { Journal } from "./journal/journal.ts";
import { encodeJson, type JournalEntry, RECORD_BYTES_MAX } from "./journal/journalEntry.ts";
import type { RecoveredCommand } from "./keyedCommand.ts";
import { type ReplayTarget, targetAt } from "./replay.ts";
import type { SessionClock } from "./sessionClock.ts";
import type { Rewindable } from "./sessionListener.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import { type Checkpoint, type ServerStates, type SessionState, serverStatesOf } from "./sessionState.ts";

const LONG_CHECKPOINT = "The rate limits count more requests than a checkpoint can have; wait for an hour";

interface RewindContext {
  readonly queue: CommandQueue;
  readonly state: SessionState;
  readonly journal: Journal;
  readonly openedMs: EpochMs;
  readonly clock: SessionClock;
  readonly rewindables: readonly Rewindable[];
  readonly refuseAfterFailure: () => void;
  /** Runs work whose failure leaves the session in an undefined state. */
  readonly failingOnError: (work: () => Promise<void>) => Promise<void>;
  /** The present world at the present instant. */
  readonly present: () => HostedWorld;
  readonly replay: (to: ReplayTarget, onRecovered: (command: RecoveredCommand) => void) => Promise<HostedWorld>;
  readonly append: (entry: JournalEntry, json?: Buffer) => void;
  /** Called before the session goes back. */
  readonly onRewind: () => void;
  readonly replaceWorld: (hosted: HostedWorld) => void;
  /** Called when the session has gone back and before anything of it is on disk. */
  readonly onReplaced: () => void;
}

/** Checkpoints of a session, and its returns to them (docs/model/sandbox.md#checkpoints). */
export class SessionRewinds {
  private readonly context: RewindContext;

  constructor(context: RewindContext) {
    this.context = context;
  }

  addCheckpoint(label: string | null): Promise<Checkpoint> {
    const { queue, refuseAfterFailure } = this.context;
    return queue.run(async () => {
      refuseAfterFailure();
      return this.markPresent(label);
    });
  }

  private async markPresent(label: string | null): Promise<Checkpoint> {
    const { queue, state, rewindables, present, append } = this.context;
    const hosted = present();
    const serverStates = Object.fromEntries(rewindables.map((part) => [part.name, part.save()]));
    const entry = { kind: "checkpoint", at_ms: hosted.nowMs, label, beside: serverStates } as const;
    // A longer record could not be read again.
    const json = encodeJson(entry);
    if (json.length > RECORD_BYTES_MAX) throw new SessionRefusal(409, LONG_CHECKPOINT);
    append(entry, json);
    const added = state.checkpoints.at(-1);
    assert(added !== undefined, "a journalled checkpoint is listed");
    await queue.commit();
    return added;
  }

  restore(checkpointId: string): Promise<void> {
    const { state, journal } = this.context;
    const checkpoint = state.checkpoint(checkpointId);
    if (checkpoint === undefined)
      return Promise.reject(new SessionRefusal(404, `No checkpoint has the id ${checkpointId}`, "checkpoint_id"));
    return this.rewind(targetAt(checkpoint, journal), { kind: "restore", checkpoint_id: checkpointId }, () =>
      serverStatesOf(checkpoint, journal),
    );
  }

  reset(): Promise<void> {
    return this.rewind({ inputs: [], atMs: this.context.openedMs }, { kind: "reset" }, () => ({}));
  }

  private rewind(to: ReplayTarget, entry: JournalEntry, serverStates: () => ServerStates): Promise<void> {
    const { queue, refuseAfterFailure, onRewind, failingOnError } = this.context;
    return queue.run(() => {
      refuseAfterFailure();
      onRewind();
      return failingOnError(() => this.replace(to, entry, serverStates()));
    });
  }

  /** Puts another world in the place of the present one. */
  private async replace(to: ReplayTarget, entry: JournalEntry, serverStates: ServerStates): Promise<void> {
    const { clock, rewindables, replay, append, queue, replaceWorld, onReplaced } = this.context;
    const resumeClock = clock.hold();
    const collectors = rewindables.flatMap((part) => part.collect?.() ?? []);
    const hosted = await replay(to, (command) => {
      for (const collect of collectors) collect(command);
    });
    append(entry);
    replaceWorld(hosted);
    for (const part of rewindables) part.restore(serverStates[part.name]);
    onReplaced();
    await queue.commit();
    resumeClock();
    clock.notifyListeners((listener) => listener.onRewound());
  }
}
