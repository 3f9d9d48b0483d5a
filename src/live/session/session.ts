import type { Answer, ApiRequest, RequestContext } from "../../api/endpoints/route.ts";
import { findRoute, type MatchedRoute } from "../../api/endpoints/routes.ts";
import { wireTime } from "../../api/endpoints/shared/wireTime.ts";
import { assert } from "../../base/assert.ts";
import { sha256Hex } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { SessionAlarms } from "./alarms/sessionAlarms.ts";
import { RequestLog } from "./clients/requestLog.ts";
import { SessionHttpFaults } from "./clients/sessionHttpFaults.ts";
import type { ClockChange } from "./clockChange.ts";
import { CommandQueue } from "./commandQueue.ts";
import type { FaultSpec } from "./fault.ts";
import type { HostedWorld } from "./hostedWorld.ts";
import { SessionInjects } from "./injects/sessionInjects.ts";
import { SessionPrepared } from "./injects/sessionPrepared.ts";
import { encodeJson, type JournalEntry, type WorldInput } from "./journal/journalEntry.ts";
import { KeyAnsweredError, type KeyedCommand } from "./keyedCommand.ts";
import { type OpenedJournal, openJournal } from "./openJournal.ts";
import type { Speed } from "./pace.ts";
import type { PersonLog } from "./personLog.ts";
import { replay, targetAt } from "./replay.ts";
import type { ClockRecord, FaultRecord } from "./sandboxCommands.ts";
import type { SandboxRole } from "./sandboxReads.ts";
import { SessionClock } from "./sessionClock.ts";
import type { Rewindable, SessionListener } from "./sessionListener.ts";
import type { SessionOptions } from "./sessionOptions.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import { exportSession, type WrittenReport } from "./sessionReport.ts";
import { SessionRewinds } from "./sessionRewinds.ts";
import type { Checkpoint } from "./sessionState.ts";
import { type ServedSnapshot, SessionTasks, snapshotOf } from "./sessionTasks.ts";
import { type Credential, credentialsOf, refreshSecret } from "./tokenSecrets.ts";
import { systemClock, type WallClock } from "./wallClock.ts";

/**
 * One simulated world with a clock that can be paused: the host of the servers.
 *
 * A request is answered at the simulated instant at which it arrives. Nothing of a command is answered, stored or shown before it is on disk: until then reads and the clock wait, and
 * further commands are collected for the next write (docs/model/sandbox.md#durability). Long tasks run in slices; reads in between see the instant reached, and commands wait.
 */
export class Session {
  readonly scenario: Scenario;
  readonly credentials: readonly Credential[];
  /** Signs access tokens. */
  readonly signingKey: string;
  /** Whether the session continues an earlier one from the journal. */
  readonly isResumed: boolean;
  private readonly options: SessionOptions;
  private readonly opened: OpenedJournal;
  private readonly sessionClock: SessionClock;
  private readonly queue = new CommandQueue({
    beginCommand: () => this.beginCommand(),
    apply: (input, match) => this.applyInput(input, match),
    synced: () => this.synced(),
    onCommitted: () => this.sessionClock.notifySettled(),
  });
  /** Injects, owner calls and steps of a drill. */
  readonly injects = new SessionInjects(this.queue, () => this.presentWorld.board);
  readonly alarms = new SessionAlarms(this.queue, () => this.presentWorld);
  readonly httpFaults: SessionHttpFaults;
  /** Malfunctions that the instructor has prepared. */
  readonly prepared: SessionPrepared;
  /** What clients requested since the server started. */
  readonly requestLog = new RequestLog();
  private readonly listeners: SessionListener[] = [];
  private readonly rewindables: Rewindable[] = [];
  private readonly tasks: SessionTasks;
  readonly rewinds: SessionRewinds;
  private presentWorld: HostedWorld;
  private isCancelled = false;
  private failure: { readonly error: unknown } | null = null;

  /**
   * Opens the journal and advances a world to the start of the session or to where the earlier session stopped.
   *
   * @throws JournalError
   */
  static async open(options: SessionOptions): Promise<Session> {
    const { served, openAtMs, warn } = options;
    const opened = openJournal(served, { ...options.journal, openAtMs, warn });
    const wallClock = options.wallClock ?? systemClock;
    try {
      const hosted = await replay(served.scenario, targetAt(opened.state, opened.journal), {
        wallClock,
        drill: served.drill ?? null,
        openedMs: opened.header.open_ms,
        onRecovered: options.onRecovered,
      });
      return new Session(options, opened, hosted, wallClock);
    } catch (error) {
      await opened.journal.close();
      throw error;
    }
  }

  private constructor(options: SessionOptions, opened: OpenedJournal, hosted: HostedWorld, wallClock: WallClock) {
    const { served, tokenSecret } = options;
    this.scenario = served.scenario;
    this.options = options;
    this.opened = opened;
    this.tasks = new SessionTasks(wallClock, options.longTasks ?? "thread");
    this.presentWorld = hosted;
    this.isResumed = opened.isResumed;
    this.httpFaults = new SessionHttpFaults({
      board: opened.state.httpFaults,
      nowMs: () => this.nowMs,
      append: (entry) => this.appendSynced(entry),
    });
    this.signingKey = opened.header.signing_key;
    this.credentials = credentialsOf(served.scenario, refreshSecret(served.scenario.world.seed, tokenSecret));
    this.prepared = new SessionPrepared({
      queue: this.queue,
      list: opened.state.prepared,
      injects: () => this.injects.list,
      append: (entry) => this.appendEntry(entry),
    });
    this.sessionClock = new SessionClock({
      speed: options.speed ?? 1,
      wallClock,
      listeners: this.listeners,
      world: () => this.presentWorld,
      endMs: served.scenario.world.endMs,
      journalClock: (change) => this.journalClock(change),
      isCancelled: () => this.isCancelled,
      isCommitting: () => this.queue.committing !== null,
      onFailure: (error) => this.fail(error),
    });
    this.rewinds = new SessionRewinds({
      scenario: served.scenario,
      state: opened.state,
      journal: opened.journal,
      openedMs: opened.header.open_ms,
      queue: this.queue,
      clock: this.sessionClock,
      rewindables: this.rewindables,
      refuseAfterFailure: () => this.refuseAfterFailure(),
      failingOnError: (work) => this.failingOnError(work),
      present: () => this.hosted,
      replay: (to, onRecovered) =>
        replay(served.scenario, to, {
          wallClock,
          drill: served.drill ?? null,
          openedMs: opened.header.open_ms,
          onRecovered,
          isCancelled: () => this.isCancelled,
        }),
      append: (entry, json) => this.appendEntry(entry, json),
      onRewind: () => this.httpFaults.endLapsed(),
      replaceWorld: (hosted) => this.replaceWorld(hosted),
      onReplaced: () => {
        for (const listener of this.listeners) this.attach(listener);
        this.prepared.afterRewind(this.presentWorld.nowMs, (input) => this.applyInput(input));
      },
    });
  }

  /** The instant at which a request that arrives now is answered. */
  get nowMs(): EpochMs {
    this.sessionClock.catchUp();
    return this.presentWorld.nowMs;
  }

  get context(): RequestContext {
    return this.presentWorld.context;
  }

  /** The present world with the record of its past, for reads of the sandbox. */
  get hosted(): HostedWorld {
    this.sessionClock.catchUp();
    return this.presentWorld;
  }

  /** Start of the session's simulated clock. */
  get openedMs(): EpochMs {
    return this.opened.header.open_ms;
  }

  /** Events processed by the world. */
  get eventCount(): number {
    return this.presentWorld.world.eventCount;
  }

  /** Whether nothing is visible that is not on disk; false also after a failure. */
  get isCommitted(): boolean {
    return this.queue.committing === null && this.failure === null;
  }

  /** Resolves when nothing is visible that is not on disk; rejects after a failure. */
  async committed(): Promise<void> {
    while (this.queue.committing !== null) await this.queue.committing;
    this.refuseAfterFailure();
  }

  /** Answers one call; the answer to a command resolves when it is on disk. @param keyed  with an Idempotency-Key @throws KeyAnsweredError */
  answer(
    request: ApiRequest,
    keyed?: KeyedCommand,
    match: MatchedRoute | undefined = findRoute(request.api, request.method, request.path),
  ): Answer | Promise<Answer> {
    if (match?.route.isCommand === false) {
      const read = (): Answer => this.hosted.answer(request, match);
      return this.isCommitted ? read() : this.committed().then(read);
    }
    const key = keyed === undefined ? {} : { idempotency_key: keyed.key };
    return this.queue.runCommand<Answer>({
      act: (at_ms, apply) => {
        if (keyed?.hasAnswer(at_ms) === true) throw new KeyAnsweredError();
        const answer = apply({ kind: "request", at_ms, request, ...key }, match);
        assert(answer !== null, "a request has an answer");
        return answer;
      },
      onCommitted: (answer) => keyed?.storeAnswer(answer, this.presentWorld.nowMs),
    });
  }

  clock(): ClockRecord {
    this.sessionClock.catchUp();
    return this.sessionClock.record();
  }

  /** Advances the paused clock. @param targetOf  the target, given the instant of the start @param by  `null`: the server */
  async advance(targetOf: (nowMs: EpochMs) => EpochMs, by: SandboxRole | null = null): Promise<ClockRecord> {
    await this.queue.run(() => {
      this.refuseAfterFailure();
      const untilMs = targetOf(this.presentWorld.nowMs);
      return this.failingOnError(() => this.sessionClock.advanceTo(untilMs, by));
    });
    return this.syncedClock();
  }

  async pause(by: SandboxRole | null = null): Promise<ClockRecord> {
    await this.queue.run(() => {
      this.sessionClock.catchUp();
      this.sessionClock.pause({ what: "frozen", by });
    });
    return this.syncedClock();
  }

  /** @param speed  default: the last one, initially 1 */
  async resume(speed?: Speed, by: SandboxRole | null = null): Promise<ClockRecord> {
    await this.queue.run(() => {
      this.refuseAfterFailure();
      this.sessionClock.catchUp();
      this.sessionClock.resume(speed, by);
    });
    return this.syncedClock();
  }

  /** Gives an award or instruction a name. @param label  `null`: takes it away */
  labelAward(awardId: string, label: string | null): Promise<void> {
    return this.queue.runCommand<void>({
      act: (at_ms, apply) => {
        if (this.presentWorld.record?.names.has(awardId) !== true)
          throw new SessionRefusal(404, `The VPPs have received no award ${awardId}`, "award_id");
        apply({ kind: "label", at_ms, award_id: awardId, label });
      },
    });
  }

  /** Begins a fault now. */
  beginFault(fault: FaultSpec): Promise<FaultRecord> {
    return this.queue.runCommand<FaultRecord>({
      act: (at_ms, apply) => {
        apply({ kind: "fault", at_ms, fault });
        const record = this.presentWorld.faults.at(-1);
        assert(record !== undefined, "a fault that begins is active");
        return record;
      },
      onCommitted: (record) => this.notifyFault(record),
    });
  }

  /** Ends a fault now. @returns its record, with the present instant as its end */
  endFault(faultId: string): Promise<FaultRecord> {
    return this.queue.runCommand<FaultRecord>({
      act: (at_ms, apply) => {
        const ending = this.faults.find(({ fault_id }) => fault_id === faultId);
        if (ending === undefined) throw new SessionRefusal(404, `No fault in force has the id ${faultId}`, "fault_id");
        apply({ kind: "fault_end", at_ms, fault_id: faultId });
        return { ...ending, ends_at: wireTime(this.presentWorld.nowMs) };
      },
      onCommitted: (record) => this.notifyFault(record),
    });
  }

  /** Active faults, including the scenario's, oldest first. */
  get faults(): readonly FaultRecord[] {
    return this.presentWorld.faults;
  }

  addCheckpoint(label: string | null): Promise<Checkpoint> {
    return this.rewinds.addCheckpoint(label);
  }

  /** Oldest first. */
  get checkpoints(): readonly Checkpoint[] {
    return this.opened.state.checkpoints;
  }

  /** Restores a checkpoint, including the state of servers (docs/model/sandbox.md#checkpoints). */
  async restore(checkpointId: string): Promise<ClockRecord> {
    await this.rewinds.restore(checkpointId);
    return this.syncedClock();
  }

  /** Restores the start of the session. */
  async reset(): Promise<ClockRecord> {
    await this.rewinds.reset();
    return this.syncedClock();
  }

  /** What persons did in the session, and notes about it. */
  get persons(): PersonLog {
    return this.opened.state.persons;
  }

  /** Records what a person did on a page. */
  recordAction(action: string, text: string): Promise<void> {
    return this.appendSynced({ kind: "action", at_ms: this.nowMs, action, text });
  }

  /** Records a note of the instructor. */
  recordNote(text: string): Promise<void> {
    return this.appendSynced({ kind: "note", at_ms: this.nowMs, text });
  }

  private async appendSynced(entry: JournalEntry): Promise<void> {
    this.refuseAfterFailure();
    this.appendEntry(entry);
    await this.synced();
  }

  /** Revokes a refresh token. @returns whether it belongs to this session */
  async revoke(refreshToken: string): Promise<boolean> {
    const holder = this.credentials.find((credential) => credential.refreshToken === refreshToken);
    if (holder === undefined) return false;
    await this.appendSynced({ kind: "revoke", token_sha256: sha256Hex(refreshToken) });
    this.sessionClock.notifyListeners((listener) => listener.onRevoked(holder));
    return true;
  }

  isRevoked(tokenSha256: string): boolean {
    return this.opened.state.isRevoked(tokenSha256);
  }

  /** A digest of the whole simulated state at the present instant (docs/model/sandbox.md#state-hash). */
  stateHash(): string {
    this.sessionClock.catchUp();
    return this.presentWorld.stateHash();
  }

  /** The session until now as a scenario file, in parts: the text of a long one exceeds the maximum string length. */
  exportParts(): Iterable<string> {
    return exportSession(this.snapshot());
  }

  /** The same, with the longest part made in a thread while the session continues. */
  openExport(): Promise<Iterable<string>> {
    return this.tasks.openExport(this.snapshot());
  }

  /** Writes the report until now into a folder, in a thread while the session continues. */
  writeReport(out: string): Promise<WrittenReport> {
    return this.tasks.writeReport(this.snapshot(), out);
  }

  /** Adds a listener for later events. */
  addListener(listener: SessionListener): void {
    this.listeners.push(listener);
    this.observe();
    this.attach(listener);
  }

  /** Adds state that a restore or reset also restores. */
  addRewindable(part: Rewindable): void {
    this.rewindables.push(part);
  }

  /** Cancels running and future advances and replays. */
  cancel(): void {
    this.isCancelled = true;
  }

  /** Ends the session in order, after the running task. */
  async close(): Promise<void> {
    await this.queue.run(() => {
      this.sessionClock.pause({ what: "frozen", by: null });
      if (this.failure === null) this.appendEntry({ kind: "end", at_ms: this.presentWorld.nowMs });
    });
    try {
      await this.opened.journal.close();
    } catch (error) {
      // The failure has already been reported.
      if (this.failure === null) throw error;
    }
  }

  private observe(): void {
    this.presentWorld.setObservers(this.listeners.map(({ observer }) => observer));
  }

  private attach({ observer }: SessionListener): void {
    const { sites, vpps } = this.presentWorld.world;
    observer.onAttached?.(sites, vpps);
  }

  private beginCommand(): EpochMs {
    this.refuseAfterFailure();
    this.sessionClock.catchUp();
    return this.presentWorld.nowMs;
  }

  /** A failed command leaves the world in an undefined state, so that it fails the session. */
  private applyInput(input: WorldInput, match?: MatchedRoute): Answer | null {
    try {
      const answer = this.presentWorld.applyInput(input, match);
      // A malformed request changes nothing, and callers may send any number of them.
      if (answer?.isMalformed !== true) this.appendEntry(input);
      return answer;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  private async failingOnError(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SessionRefusal)) this.fail(error);
      throw error;
    }
  }

  /** Puts another world in the place of the present one. */
  private replaceWorld(hosted: HostedWorld): void {
    this.presentWorld.setObservers([]);
    this.presentWorld = hosted;
    this.observe();
  }

  private notifyFault(record: FaultRecord): void {
    this.sessionClock.notifyListeners((listener) => listener.onFault(record));
  }

  private snapshot(): ServedSnapshot {
    this.sessionClock.catchUp();
    return snapshotOf(this.options.served, this.opened, this.presentWorld);
  }

  private async syncedClock(): Promise<ClockRecord> {
    await this.synced();
    return this.sessionClock.record();
  }

  /** Records the state of the clock without waiting for the disk. */
  private journalClock(change?: ClockChange): void {
    const { mode, speed } = this.sessionClock;
    const hosted = this.presentWorld;
    this.appendEntry({ kind: "clock", at_ms: hosted.nowMs, mode, speed, change });
    const { lastClockStep } = this.opened.state;
    if (change !== undefined && lastClockStep !== null) hosted.record?.clockChanged(lastClockStep);
    this.synced().catch(() => {});
  }

  /** Resolves when all appended records are on disk. A failed journal fails the session. */
  private async synced(): Promise<void> {
    try {
      await this.opened.journal.synced();
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  private appendEntry(entry: JournalEntry, json = encodeJson(entry)): void {
    this.opened.state.applyEntry(entry, this.opened.journal.append(json));
  }

  private fail(error: unknown): void {
    if (this.failure !== null) return;
    this.failure = { error };
    this.options.onFailure(error);
  }

  private refuseAfterFailure(): void {
    if (this.failure !== null) throw this.failure.error;
  }
}
