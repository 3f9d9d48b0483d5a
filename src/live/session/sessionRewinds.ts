import { assert } from "../../base/assert.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import type { CommandQueue } from "./commandQueue.ts";
import type { HostedWorld } from "./hostedWorld.ts";
import { inputsUntil } from "./inputStep.ts";
import type { Journal } from "./journal/journal.ts";
import { encodeJson, type JournalEntry, RECORD_BYTES_MAX, type WorldInput } from "./journal/journalEntry.ts";
import type { RecoveredCommand } from "./keyedCommand.ts";
import { type ReplayTarget, targetAt } from "./replay.ts";
import type { SessionClock } from "./sessionClock.ts";
import type { Rewindable } from "./sessionListener.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import { type Checkpoint, type ServerStates, type SessionState, serverStatesOf } from "./sessionState.ts";

const LONG_CHECKPOINT = "The rate limits count more requests than a checkpoint can have; wait for an hour";

/** A state of a scenario, and what leads to it (docs/model/sandbox.md#initial-conditions). */
export interface InitialCondition {
  /** Name of the scenario. */
  readonly scenario: string;
  readonly hash: string;
  readonly seed: number;
  readonly openedMs: EpochMs;
  readonly atMs: EpochMs;
  readonly label: string | null;
  readonly stateHash: string;
  readonly inputs: readonly WorldInput[];
}

interface RewindContext {
  readonly scenario: Scenario;
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
    const entry = {
      kind: "checkpoint",
      at_ms: hosted.nowMs,
      label,
      state_hash: hosted.stateHash(),
      beside: serverStates,
    } as const;
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
    if (checkpoint === undefined) return Promise.reject(noCheckpoint(checkpointId));
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
    const { clock } = this.context;
    const resumeClock = clock.hold();
    await this.enter(await this.rebuild(to), entry, serverStates);
    resumeClock();
    clock.notifyListeners((listener) => listener.onRewound());
  }

  private rebuild(to: ReplayTarget): Promise<HostedWorld> {
    const { rewindables, replay } = this.context;
    const collectors = rewindables.flatMap((part) => part.collect?.() ?? []);
    return replay(to, (command) => {
      for (const collect of collectors) collect(command);
    });
  }

  private async enter(hosted: HostedWorld, entry: JournalEntry, serverStates: ServerStates): Promise<void> {
    const { rewindables, append, queue, replaceWorld, onReplaced } = this.context;
    append(entry);
    replaceWorld(hosted);
    for (const part of rewindables) part.restore(serverStates[part.name]);
    onReplaced();
    await queue.commit();
  }

  /** The state of a checkpoint with all that leads to it, for another server of the scenario. */
  initialCondition(checkpointId: string): InitialCondition {
    const { state, journal, scenario, openedMs } = this.context;
    const checkpoint = state.checkpoint(checkpointId);
    if (checkpoint === undefined) throw noCheckpoint(checkpointId);
    const { atMs, label, stateHash, lastStep } = checkpoint;
    if (stateHash === null)
      throw new SessionRefusal(409, "An older version took this checkpoint; restore it and take another one");
    const { name, hash, world } = scenario;
    const inputs = [...inputsUntil(lastStep, journal)].map(withoutKey);
    return { scenario: name, hash, seed: world.seed, openedMs, atMs, label, stateHash, inputs };
  }

  /** Goes to an initial condition and marks it. @throws SessionRefusal  409, and nothing is changed */
  load(initial: InitialCondition): Promise<Checkpoint> {
    const { queue, clock, openedMs, scenario, refuseAfterFailure, onRewind, failingOnError } = this.context;
    return queue.run(async () => {
      refuseAfterFailure();
      refuseForeign(initial, scenario, openedMs);
      const { inputs, atMs, label } = initial;
      const resumeClock = clock.hold();
      let hosted: HostedWorld;
      try {
        hosted = await this.rebuild({ inputs, atMs });
        refuseOtherState(initial, hosted.stateHash());
      } catch (error) {
        resumeClock();
        throw error;
      }
      onRewind();
      await failingOnError(() => this.enter(hosted, { kind: "initial_condition", to_ms: atMs, label, inputs }, {}));
      resumeClock("paused");
      clock.notifyListeners((listener) => listener.onRewound());
      return this.markPresent(label);
    });
  }
}

const noCheckpoint = (id: string): SessionRefusal =>
  new SessionRefusal(404, `No checkpoint has the id ${id}`, "checkpoint_id");

/** Answers of an earlier session are no part of a state. */
function withoutKey(input: WorldInput): WorldInput {
  if (input.kind !== "request") return input;
  const { idempotency_key: _key, ...rest } = input;
  return rest;
}

function refuseForeign(
  { scenario, hash, seed, atMs }: InitialCondition,
  { name, hash: ownHash, world }: Scenario,
  openedMs: EpochMs,
): void {
  const refuse = (parameter: string, found: string, allowed: string): SessionRefusal =>
    new SessionRefusal(409, `Found ${found}, allowed ${allowed}`, parameter);
  if (scenario !== name) throw refuse("scenario", scenario, `an initial condition of the scenario ${name}`);
  if (seed !== world.seed) throw refuse("seed", String(seed), `that of this server, ${world.seed}`);
  if (hash !== ownHash) throw refuse("hash", hash, `that of the scenario and its data here, ${ownHash}`);
  if (atMs < openedMs)
    throw refuse("at", isoUtc(atMs), `an instant from the opening of this server on, ${isoUtc(openedMs)}`);
  if (world.endMs < atMs)
    throw refuse("at", isoUtc(atMs), `an instant until the scenario's end, ${isoUtc(world.endMs)}`);
}

function refuseOtherState({ stateHash, atMs }: InitialCondition, reached: string): void {
  if (reached === stateHash) return;
  const found = `its commands lead to the state ${reached} at ${isoUtc(atMs)}`;
  throw new SessionRefusal(409, `Found another state: ${found}, allowed ${stateHash}`, "state_hash");
}
