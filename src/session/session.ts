import { sha256Hex } from "../base/ids.ts";
import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../endpoints/route.ts";
import { findRoute } from "../endpoints/routes.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ClockRecord } from "./clockRecord.ts";
import { type Credential, credentialsOf } from "./credentialList.ts";
import { refreshSecret } from "./credentials.ts";
import type { FaultRecord, FaultSpec } from "./fault.ts";
import type { Entry, WorldInput } from "./journal/entry.ts";
import { jsonOf } from "./journal/line.ts";
import type { Rewindable, SessionListener } from "./listener.ts";
import { type OpenedJournal, openJournal } from "./openJournal.ts";
import type { Speed } from "./pace.ts";
import { SessionRefusal } from "./refusal.ts";
import { type Destination, type RecoveredCommand, type Replayed, replay } from "./replay.ts";
import type { ServedScenario } from "./servedScenario.ts";
import { SessionClock } from "./sessionClock.ts";
import { exportOf, type SessionSnapshot, writeSessionReport } from "./sessionReport.ts";
import type { Checkpoint } from "./sessionState.ts";
import { inputsUntil } from "./step.ts";
import { Turns } from "./turns.ts";
import { machineClock, type WallClock } from "./wallClock.ts";

export interface SessionOptions {
  readonly served: ServedScenario;
  /** See `JournalOptions`; without a file nothing outlives the server. */
  readonly journal: { readonly file: string | null; readonly goesOn: boolean };
  /** Where the clock starts; `null`: at the scenario's start. */
  readonly openAtMs: EpochMs | null;
  /** `--token-secret`, or `null`. */
  readonly tokenSecret: string | null;
  readonly warn: (text: string) => void;
  /** Something failed for good: the session takes no more commands. */
  readonly failed: (error: unknown) => void;
  readonly wall?: WallClock;
}

/** What goes with a command that has an Idempotency-Key. */
export interface KeyedCommand {
  /** Kept in the journal, so that the key outlives a crash together with its command. */
  readonly key: string;
  /**
   * Told the answer in the command's own turn, before it is on the disk: nothing can put the session back in between, so
   * that what is remembered of the command belongs to the branch that has it.
   */
  keep(answer: Answer, atMs: EpochMs): void;
}

/**
 * One simulated world under a clock that can be held: the host that servers talk to.
 *
 * A request is answered at the simulated instant at which it arrives. Commands are written to the journal before they act
 * and are on the disk before they are answered; so is whatever the clock was told. Long pieces of work run in slices:
 * reads in between see the instant reached, commands wait for their turn.
 */
export class Session {
  readonly scenario: Scenario;
  readonly credentials: readonly Credential[];
  /** Access tokens are signed with it. */
  readonly signingKey: string;
  /** Whether the journal had an earlier session, which goes on. */
  readonly resumed: boolean;
  readonly #options: SessionOptions;
  readonly #opened: OpenedJournal;
  readonly #clock: SessionClock;
  readonly #turns = new Turns();
  readonly #listeners: SessionListener[];
  readonly #parts: Rewindable[] = [];
  readonly #wall: WallClock;
  #replayed: Replayed;
  #recovered: readonly RecoveredCommand[] = [];
  #calledOff = false;
  #failure: { readonly error: unknown } | null = null;

  /**
   * Opens the journal and brings a world to where the session begins or goes on.
   *
   * @throws JournalError
   */
  static async open(options: SessionOptions): Promise<Session> {
    const { served, openAtMs, warn } = options;
    const opened = openJournal(served.scenario, { ...options.journal, openAtMs, warn });
    const wall = options.wall ?? machineClock;
    const listeners: SessionListener[] = [];
    try {
      const { last, atMs } = opened.state;
      const commands: RecoveredCommand[] = [];
      const recovered = (command: RecoveredCommand): void => void commands.push(command);
      const to = { inputs: inputsUntil(last), atMs };
      const replayed = await replay(served.scenario, to, { wall, listeners, recovered });
      const session = new Session(options, opened, replayed, { wall, listeners });
      session.#recovered = commands;
      return session;
    } catch (error) {
      await opened.journal.close();
      throw error;
    }
  }

  private constructor(
    options: SessionOptions,
    opened: OpenedJournal,
    replayed: Replayed,
    { wall, listeners }: { readonly wall: WallClock; readonly listeners: SessionListener[] },
  ) {
    const { served, tokenSecret } = options;
    this.scenario = served.scenario;
    this.#options = options;
    this.#opened = opened;
    this.#wall = wall;
    this.#listeners = listeners;
    this.#replayed = replayed;
    replayed.relay.isLive = true;
    this.resumed = opened.resumed;
    this.signingKey = opened.header.signing_key;
    this.credentials = credentialsOf(served.scenario, refreshSecret(served.scenario.world.seed, tokenSecret));
    this.#clock = new SessionClock({
      wall,
      listeners,
      world: () => this.#replayed.hosted,
      endMs: served.scenario.world.endMs,
      mark: () => this.#mark(),
      calledOff: () => this.#calledOff,
      failed: (error) => this.#fail(error),
    });
  }

  /** The instant at which a request that arrives now is answered. */
  get nowMs(): EpochMs {
    this.#clock.catchUp();
    return this.#replayed.hosted.nowMs;
  }

  /** The latest commands that the journal gave back, oldest first, for servers that keep something of them: once. */
  takeRecovered(): readonly RecoveredCommand[] {
    const recovered = this.#recovered;
    this.#recovered = [];
    return recovered;
  }

  get context(): RequestContext {
    return this.#replayed.hosted.context;
  }

  /** Events that the world has handled. */
  get eventCount(): number {
    return this.#replayed.hosted.world.eventCount;
  }

  /**
   * Answers one call. A command's answer comes when the journal has it on the disk.
   *
   * @param keyed  of a command with an Idempotency-Key
   */
  answer(request: ApiRequest, keyed?: KeyedCommand): Answer | Promise<Answer> {
    const found = findRoute(request.api, request.method, request.path);
    if (found !== null && !found.route.command) {
      this.#clock.catchUp();
      return this.#replayed.hosted.answer(request);
    }
    const key = keyed === undefined ? {} : { idempotency_key: keyed.key };
    return this.#command(
      (at_ms) => ({ kind: "request", at_ms, request, ...key }),
      (answer) => {
        keyed?.keep(answer!, this.#replayed.hosted.nowMs);
        return answer!;
      },
    );
  }

  clock(): ClockRecord {
    this.#clock.catchUp();
    return this.#clock.record();
  }

  /** Runs the paused clock to an instant. @param targetOf  the target, told where the clock stands when its turn comes */
  async advance(targetOf: (nowMs: EpochMs) => EpochMs): Promise<ClockRecord> {
    await this.#turns.take(() => {
      this.#refuseAfterFailure();
      const untilMs = targetOf(this.#replayed.hosted.nowMs);
      return this.#guarded(() => this.#clock.advanceTo(untilMs));
    });
    return this.#clockOnDisk();
  }

  async pause(): Promise<ClockRecord> {
    await this.#turns.take(() => {
      this.#clock.catchUp();
      this.#clock.pause();
    });
    return this.#clockOnDisk();
  }

  /** @param speed  absent: as the last time, at first 1 */
  async resume(speed?: Speed): Promise<ClockRecord> {
    await this.#turns.take(() => {
      this.#refuseAfterFailure();
      this.#clock.catchUp();
      this.#clock.resume(speed);
    });
    return this.#clockOnDisk();
  }

  /** A fault begins now. */
  beginFault(fault: FaultSpec): Promise<FaultRecord> {
    return this.#command(
      (at_ms) => ({ kind: "fault", at_ms, fault }),
      () => this.#told(this.#replayed.hosted.faults.at(-1)!),
    );
  }

  /** A fault ends now. @returns its record, ending now */
  endFault(faultId: string): Promise<FaultRecord> {
    let ending: FaultRecord | undefined;
    return this.#command(
      (at_ms) => {
        ending = this.faults.find(({ fault_id }) => fault_id === faultId);
        if (ending === undefined) throw new SessionRefusal(404, `No fault in force has the id ${faultId}`, "fault_id");
        return { kind: "fault_end", at_ms, fault_id: faultId };
      },
      () => this.#told({ ...ending!, ends_at: wireTime(this.#replayed.hosted.nowMs) }),
    );
  }

  /** Those in force, of the scenario too, oldest first. */
  get faults(): readonly FaultRecord[] {
    return this.#replayed.hosted.faults;
  }

  async addCheckpoint(label: string | null): Promise<Checkpoint> {
    const checkpoint = await this.#turns.take(() => {
      this.#refuseAfterFailure();
      this.#clock.catchUp();
      const beside = Object.fromEntries(this.#parts.map((part) => [part.name, part.save()]));
      this.#write({ kind: "checkpoint", at_ms: this.#replayed.hosted.nowMs, label, beside });
      return this.checkpoints.at(-1)!;
    });
    await this.#onDisk();
    return checkpoint;
  }

  /** Oldest first. */
  get checkpoints(): readonly Checkpoint[] {
    return this.#opened.state.checkpoints;
  }

  /** Back to a checkpoint; what servers keep beside the world goes back too (decisions.md 135). */
  restore(checkpointId: string): Promise<ClockRecord> {
    const checkpoint = this.#opened.state.checkpoint(checkpointId);
    if (checkpoint === undefined)
      return Promise.reject(new SessionRefusal(404, `No checkpoint has the id ${checkpointId}`, "checkpoint_id"));
    const { last, atMs, beside } = checkpoint;
    return this.#rewind({ inputs: inputsUntil(last), atMs }, { kind: "restore", checkpoint_id: checkpointId }, (part) =>
      beside.get(part.name),
    );
  }

  /** Back to where the session began. */
  reset(): Promise<ClockRecord> {
    return this.#rewind({ inputs: [], atMs: this.#opened.header.open_ms }, { kind: "reset" }, () => undefined);
  }

  /** From now on a refresh token is refused. @returns whether it was one of this session */
  async revoke(refreshToken: string): Promise<boolean> {
    if (!this.credentials.some((credential) => credential.refreshToken === refreshToken)) return false;
    this.#refuseAfterFailure();
    this.#write({ kind: "revoke", token_sha256: sha256Hex(refreshToken) });
    await this.#onDisk();
    return true;
  }

  isRevoked(refreshToken: string): boolean {
    return this.#opened.state.isRevoked(sha256Hex(refreshToken));
  }

  /** A digest of the whole simulated state at the present instant (decisions.md 99). */
  stateHash(): string {
    this.#clock.catchUp();
    return this.#replayed.hosted.stateHash();
  }

  /** The session so far as a scenario file. */
  exportYaml(): string {
    return exportOf(this.#snapshot());
  }

  /** Writes the report so far into a folder, while the session goes on. */
  writeReport(out: string): Promise<ScenarioRun> {
    return writeSessionReport(this.#snapshot(), { out, wall: this.#wall });
  }

  /** Tells somebody what happens from now on. */
  watch(listener: SessionListener): void {
    this.#listeners.push(listener);
    this.#attach(listener);
  }

  /** Takes a part's state along when the session goes back. */
  keep(part: Rewindable): void {
    this.#parts.push(part);
  }

  /** Whatever runs on to some instant is given up, now and from now on. */
  callOff(): void {
    this.#calledOff = true;
  }

  /** Ends the session in good order, once what has its turn is done. */
  async close(): Promise<void> {
    await this.#turns.take(() => {
      this.#clock.pause();
      if (this.#failure === null) this.#write({ kind: "end", at_ms: this.#replayed.hosted.nowMs });
    });
    try {
      await this.#opened.journal.close();
    } catch (error) {
      // Whoever was told of a failure need not hear of it again.
      if (this.#failure === null) throw error;
    }
  }

  #attach({ observer }: SessionListener): void {
    const { sites, vpps } = this.#replayed.hosted.world;
    observer.attached(sites, vpps);
  }

  async #command<T>(inputAt: (nowMs: EpochMs) => WorldInput, outcome: (answer: Answer | null) => T): Promise<T> {
    const result = await this.#turns.take(() => {
      this.#refuseAfterFailure();
      this.#clock.catchUp();
      const { hosted } = this.#replayed;
      const input = inputAt(hosted.nowMs);
      this.#write(input);
      const answer = this.#taken(input);
      this.#clock.settled();
      return outcome(answer);
    });
    await this.#onDisk();
    return result;
  }

  /** A world that stopped half-way through a command can be trusted with nothing more. */
  #taken(input: WorldInput): Answer | null {
    try {
      return this.#replayed.hosted.take(input);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SessionRefusal)) this.#fail(error);
      throw error;
    }
  }

  async #rewind(to: Destination, entry: Entry, stateOf: (part: Rewindable) => unknown): Promise<ClockRecord> {
    await this.#turns.take(async () => {
      this.#refuseAfterFailure();
      const goOn = this.#clock.hold();
      const calledOff = () => this.#calledOff;
      const replayed = await replay(this.scenario, to, { wall: this.#wall, listeners: this.#listeners, calledOff });
      this.#write(entry);
      this.#replayed.relay.isLive = false;
      this.#replayed = replayed;
      replayed.relay.isLive = true;
      for (const part of this.#parts) part.restore(stateOf(part));
      for (const listener of this.#listeners) this.#attach(listener);
      goOn();
      this.#clock.tell((listener) => listener.rewound());
    });
    return this.#clockOnDisk();
  }

  #told(record: FaultRecord): FaultRecord {
    this.#clock.tell((listener) => listener.fault(record));
    return record;
  }

  #snapshot(): SessionSnapshot {
    this.#clock.catchUp();
    const { hosted } = this.#replayed;
    const { last } = this.#opened.state;
    return { served: this.#options.served, last, nowMs: hosted.nowMs, stateHash: hosted.stateHash() };
  }

  async #clockOnDisk(): Promise<ClockRecord> {
    await this.#onDisk();
    return this.#clock.record();
  }

  /** How the clock stands; nobody waits for it to be on the disk. */
  #mark(): void {
    const { mode, speed } = this.#clock;
    this.#write({ kind: "clock", at_ms: this.#replayed.hosted.nowMs, mode, speed });
    this.#onDisk().catch(() => {});
  }

  /** Settles when all that was written is on the disk. A journal that takes no more ends the session, whoever hears of it first. */
  async #onDisk(): Promise<void> {
    try {
      await this.#opened.journal.synced();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #write(entry: Entry): void {
    const json = jsonOf(entry);
    this.#opened.journal.append(json);
    this.#opened.state.take(entry, json);
  }

  #fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#options.failed(error);
  }

  #refuseAfterFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
