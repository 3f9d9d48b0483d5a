import { RunHistory } from "../../accounting/history/runHistory.ts";
import { immutableInputsOf, isSharedByCopies } from "../../accounting/simulationRun.ts";
import { answerEvent, answerRequest } from "../../api/endpoints/answerRequest.ts";
import type { Answer, ApiRequest, RequestContext } from "../../api/endpoints/route.ts";
import type { MatchedRoute } from "../../api/endpoints/routes.ts";
import { assert } from "../../base/assert.ts";
import { copyState } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Observer } from "../../engine/simulation/observer.ts";
import { ObserverList } from "../../engine/simulation/observerList.ts";
import { World } from "../../engine/simulation/world.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { AlarmBoard } from "./alarms/alarmBoard.ts";
import { faultRecord, lastingEvent, scenarioFault } from "./fault.ts";
import type { AnsweredCommand } from "./injects/evaluateCondition.ts";
import type { SessionDrill } from "./injects/inject.ts";
import { InjectBoard } from "./injects/injectBoard.ts";
import { type BoardInput, isBoardInput, type SessionCommand, type WorldInput } from "./journal/journalEntry.ts";
import { FcrResponse } from "./record/fcrResponse.ts";
import { SessionRecord } from "./record/sessionRecord.ts";
import type { FaultRecord, ScenarioFault } from "./sandboxCommands.ts";
import type { Advanceable } from "./sliceRunner.ts";
import { worldDigest } from "./worldDigest.ts";

/** A world with the context of reads, used by a session, a replay and the verification of an export. */
export class HostedWorld implements Advanceable {
  readonly scenario: Scenario;
  readonly world: World;
  readonly context: RequestContext;
  /** Injects, owner calls and steps. */
  readonly board: InjectBoard;
  /** `null`: nobody reads its alarms. */
  readonly alarms: AlarmBoard | null;
  /** `null`: only the three APIs read this world. */
  readonly record: SessionRecord | null;
  readonly copier: WorldCopier;
  readonly fcrResponse: FcrResponse;
  private readonly observers: ObserverList;
  /** History and record, which observe before others. */
  private readonly own: readonly Partial<Observer>[];
  private readonly siteIndex: ReadonlyMap<string, number>;

  constructor(
    scenario: Scenario,
    {
      drill,
      recording,
      observer = {},
      openedMs = scenario.world.startMs,
    }: {
      readonly drill: SessionDrill | null;
      readonly recording: "recorded" | "not recorded";
      readonly observer?: Partial<Observer>;
      /** Start of the session's clock; only for its record. */
      readonly openedMs?: EpochMs;
    },
  ) {
    this.scenario = scenario;
    const history = new RunHistory(scenario.world);
    const record = recording === "recorded" ? new SessionRecord(scenario, openedMs) : null;
    this.record = record;
    this.own = record === null ? [history] : [history, record];
    this.observers = new ObserverList([...this.own, observer]);
    this.world = new World(scenario.world, this.observers, {
      answer: answerEvent,
      // Callers may read the planned dispatch of a waiting schedule.
      hasDispatchPlans: true,
    });
    this.copier = new WorldCopier(this.world, this.observers);
    this.context = { world: this.world, history };
    this.fcrResponse = new FcrResponse(history);
    this.siteIndex = new Map(scenario.world.sites.map(({ name }, index) => [name, index]));
    const alarms = scenario.sessionAlarms ?? { fromMs: openedMs, untilMs: scenario.world.endMs, actions: [] };
    this.alarms = record === null ? null : new AlarmBoard(this.world, record, alarms);
    this.board = new InjectBoard(this.world, this.siteIndex, drill);
  }

  /** The alarms of a world that is recorded. */
  get alarmBoard(): AlarmBoard {
    assert(this.alarms !== null, "a recorded world has alarms");
    return this.alarms;
  }

  /** Sets the observers of later events. */
  setObservers(observers: readonly Partial<Observer>[]): void {
    this.observers.observers = [...this.own, ...observers];
  }

  get nowMs(): EpochMs {
    return this.world.nowMs;
  }

  runThrough(untilMs: EpochMs): void {
    const { endMs } = this.world.spec;
    for (;;) {
      const boardMs = this.board.nextDueMs < endMs ? this.board.nextDueMs : Number.POSITIVE_INFINITY;
      const alarmsMs = this.alarms?.nextDueMs ?? Number.POSITIVE_INFINITY;
      const dueMs = Math.min(boardMs, alarmsMs);
      if (Math.min(untilMs, endMs) < dueMs) break;
      if (alarmsMs === dueMs) this.evaluateAlarms(dueMs);
      this.world.runThrough(dueMs);
      if (boardMs > dueMs) continue;
      if (this.record === null) this.board.act();
      else this.record.duringCommand(() => this.board.act());
    }
    this.world.runThrough(untilMs);
    // Those at the end of the run are not due before it.
    this.alarms?.applyExported();
  }

  /** Before the settled events of the instant: a live command has not acted then, and a run of the export has the same order. */
  private evaluateAlarms(atMs: EpochMs): void {
    this.world.runUnsettled(atMs);
    this.alarms?.act();
    this.record?.settledFrom(atMs);
  }

  /** Answers a call at the present instant. */
  answer(request: ApiRequest, match?: MatchedRoute): Answer {
    return answerRequest(this.context, request, match);
  }

  /** Applies an input at the present instant. @returns the answer to a request, `null` for other inputs */
  applyInput(input: WorldInput, match?: MatchedRoute): Answer | null {
    const { record } = this;
    if (input.kind === "label") {
      record?.names.setLabel(input.award_id, input.label);
      this.board.inputActed(null);
      return null;
    }
    const apply = (): Answer | null =>
      isBoardInput(input) ? this.applyToBoard(input) : this.applyToWorld(input, match);
    const answer = record === null ? apply() : record.duringCommand(apply);
    if (answer?.isMalformed === true) return answer;
    this.board.inputActed(commandOf(input, answer));
    // A replay rebuilds the record from the journal, so the record must contain only requests that are in the journal.
    if (input.kind === "request" && answer !== null) record?.command(input.request, answer, this.nowMs);
    return answer;
  }

  private applyToBoard(input: BoardInput): null {
    if (input.kind === "inject") this.board.plan(input.inject, input.prepared_id);
    else if (input.kind === "inject_cancel") this.board.cancel(input.inject_id);
    else if (input.kind === "owner_call") this.board.callOwner(input.site, input.delay_ms);
    else this.alarms?.apply({ ...input, untilMs: input.until === null ? null : Date.parse(input.until) });
    return null;
  }

  private applyToWorld(input: Exclude<WorldInput, SessionCommand>, match?: MatchedRoute): Answer | null {
    return this.world.runCommand(() => {
      switch (input.kind) {
        case "request":
          return this.answer(input.request, match);
        case "fault": {
          const site = this.siteIndex.get(input.fault.site);
          assert(site !== undefined, "a fault names a site of the scenario");
          this.world.faults.begin(lastingEvent(input.fault, site, this.nowMs));
          return null;
        }
        case "fault_end":
          if (this.world.faults.end(input.fault_id) !== null) this.board.faultEnded(input.fault_id);
          return null;
      }
    });
  }

  /** Active faults of the scenario and of the sandbox, oldest first. */
  get faults(): readonly FaultRecord[] {
    const { world } = this;
    return world.faults.activeFaults.map((fault) => faultRecord(fault, world.sites[fault.event.site].spec.name));
  }

  /** The faults of the scenario's events that last or are to come, in the order of their begin. */
  get scenarioFaults(): readonly ScenarioFault[] {
    const { faults, nowMs, spec, sites } = this.world;
    const active = new Set<unknown>(faults.activeFaults.map(({ event }) => event));
    return spec.events
      .filter((event) => "untilMs" in event)
      .filter((event) => active.has(event) || nowMs < event.atMs)
      .sort((a, b) => a.atMs - b.atMs)
      .map((event) => scenarioFault(event, sites[event.site].spec.name, active.has(event) ? "in_force" : "planned"));
  }

  stateHash(): string {
    return worldDigest(this.world);
  }
}

const commandOf = (input: WorldInput, answer: Answer | null): AnsweredCommand | null =>
  input.kind === "request" && answer !== null ? { path: input.request.path, isAccepted: answer.status < 400 } : null;

/** Copies a live world, for trials that must not change it. */
class WorldCopier {
  private readonly world: World;
  private readonly observers: ObserverList;
  private input: ReadonlySet<unknown> | null = null;

  /** @param observers  those of the world */
  constructor(world: World, observers: ObserverList) {
    this.world = world;
    this.observers = observers;
  }

  /** An independent world in the present state, without observers. */
  copy(): World {
    const { spec } = this.world;
    this.input ??= immutableInputsOf(spec);
    const input = this.input;
    const shared = this.observers.observers;
    const { world, observers } = copyState(
      { world: this.world, observers: this.observers },
      (value) => value === shared || value === answerEvent || isSharedByCopies(value, spec, input),
    );
    observers.observers = [];
    return world;
  }
}
