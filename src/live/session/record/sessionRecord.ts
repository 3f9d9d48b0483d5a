import { RunEventRecorder } from "../../../accounting/recorders/eventLog.ts";
import type { RunEvent } from "../../../accounting/runRecord.ts";
import { FIGURE } from "../../../accounting/settlement/awardAccount.ts";
import { AwardLedger } from "../../../accounting/settlement/awardLedger.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { settledCopy } from "../../../accounting/settlement/settledCopy.ts";
import { TotalsUntil } from "../../../accounting/settlement/totalsUntil.ts";
import type { Answer, ApiRequest } from "../../../api/endpoints/route.ts";
import type { RefusalKind } from "../../../base/result.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Observer, RunEventKind } from "../../../engine/simulation/observer.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import type { Site } from "../../../engine/site/site.ts";
import { DISPATCH_OUTCOME, type Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../../engine/vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { Scenario } from "../../../inputs/scenario/scenario.ts";
import { AwardNames, labelsOf, namedAward } from "../../../report/awardNames.ts";
import { textOf } from "../../../texts/catalogue.ts";
import { type ClockStep, clockData, clockText } from "../clockChange.ts";
import { DispatchLog } from "./dispatchLog.ts";
import { EventFeed, type FeedEvent } from "./eventFeed.ts";
import { commandEvent, effectOf, noticedEvent } from "./eventText.ts";
import { fcrGaps } from "./fcrGaps.ts";
import { GapWatches } from "./gapWatch.ts";
import { causeOfSubject, HIDEABLE_CAUSES, HiddenCauses, HiddenShortfall } from "./hiddenShortfall.ts";
import { NoticeBoard, type NoticedChange } from "./noticeBoard.ts";
import { PowerLog } from "./powerLog.ts";
import { ReceivedAwards, requestedKwOf, uncoveredKwOf } from "./receivedAwards.ts";
import { type SetpointRefusalKind, setpointRefusalText } from "./setpointRefusal.ts";

/** Events for the stories of awards; the oldest beyond this number are dropped. */
const RUN_EVENTS_MAX = 100_000;

/** The last dispatch of a site. */
export interface SiteDispatch {
  readonly awardId: string;
  readonly atMs: EpochMs;
  readonly kw: number;
  /** `null`: the site executes it. */
  readonly refusal: SetpointRefusalKind | null;
}

/**
 * What the reads of the sandbox need beside the world: accounts of awards, their power over time, dispatches and events. An
 * observer of a hosted world from its start, so that a replay builds it anew with the world (docs/model/sandbox.md#session-record).
 */
export class SessionRecord implements Observer {
  readonly feed = new EventFeed();
  readonly names: AwardNames;
  readonly notices = new NoticeBoard((change) => this.noticed(change));
  private readonly runEvents = new RunEventRecorder(RUN_EVENTS_MAX);
  private readonly spec: WorldSpec;
  private readonly beforeSession: TotalsUntil;
  private sites: readonly Site[] = [];
  private vpps: readonly Vpp[] = [];
  private sitesByName: ReadonlyMap<string, Site> = new Map();
  private attachedLedger: AwardLedger | null = null;
  private attachedPowerLog: PowerLog | null = null;
  private attachedHiddenCauses: HiddenCauses | null = null;
  private attachedHiddenShortfall: HiddenShortfall | null = null;
  private attachedDispatchLog: DispatchLog | null = null;
  /** Start of each site's present trajectory. */
  private trajectoryStartMs = new Float64Array(0);
  /** By VPP, then by site. */
  private lastDispatches: readonly (SiteDispatch | undefined)[][] = [];
  /** By VPP. */
  private received: readonly ReceivedAwards[] = [];
  /** Since when the gaps of running instructions are as large as they are. */
  readonly gapWatches = new GapWatches();
  /** Whether a live command acts now: what it changes is settled after the events of the instant. */
  private isCommand = false;
  /** The instant whose further events are settled. */
  private settledMs: EpochMs = Number.NaN;

  /** @param openedMs  start of the session's clock; what comes before it was simulated without the session */
  constructor({ world, timezone, sessionCommands }: Scenario, openedMs: EpochMs) {
    this.spec = world;
    this.names = new AwardNames(timezone, labelsOf(sessionCommands));
    this.beforeSession = new TotalsUntil(openedMs);
  }

  get ledger(): AwardLedger {
    return attached(this.attachedLedger);
  }

  get dispatchLog(): DispatchLog {
    return attached(this.attachedDispatchLog);
  }

  get powerLog(): PowerLog {
    return attached(this.attachedPowerLog);
  }

  /** What an operator cannot know yet. */
  get hiddenCauses(): HiddenCauses {
    return attached(this.attachedHiddenCauses);
  }

  get hiddenShortfall(): HiddenShortfall {
    return attached(this.attachedHiddenShortfall);
  }

  /** The rows that events.csv would have about some sites and awards if the run ended now. */
  runEventsAbout(subjects: ReadonlySet<string>, nowMs: EpochMs): readonly RunEvent[] {
    const open = this.sites
      .filter(({ spec }) => subjects.has(spec.name))
      .map((site) => ({ site, fromMs: this.trajectoryStartMs[site.index] }));
    return this.runEvents.log.rowsAbout(subjects, open, nowMs);
  }

  /** The shortfall of an award before the session opened, in kWh. */
  shortfallBeforeSessionKwh(awardId: string, nowMs: EpochMs): number {
    const { untilMs } = this.beforeSession;
    const kwh = this.beforeSession.of(awardId).shortfallKwh + this.unsettledKwh(awardId, Math.min(untilMs, nowMs));
    // All power of a refused award is missing, and it never runs.
    const row = kwh === 0 ? this.ledger.rowAt(awardId, nowMs) : null;
    if (row?.state !== "refused") return kwh;
    return this.ledger.rowAt(awardId, Math.min(untilMs, nowMs))?.shortfallKwh ?? 0;
  }

  /** The shortfall of a running award since its account was settled. */
  private unsettledKwh(awardId: string, untilMs: EpochMs): number {
    const account = this.ledger.runningAccounts.find(({ instruction }) => instruction.awardId === awardId);
    if (account === undefined || untilMs <= account.settledMs) return 0;
    const { sums } = settledCopy(account, untilMs, this.sites);
    return sums[FIGURE.shortfallKwh] - account.sums[FIGURE.shortfallKwh];
  }

  lastDispatch(vpp: number, site: number): SiteDispatch | null {
    return this.lastDispatches[vpp][site] ?? null;
  }

  /** What a VPP has received. */
  awardsOf(vpp: number): ReceivedAwards {
    return this.received[vpp];
  }

  /** Applies a live command, whose effects are settled events. */
  duringCommand<T>(act: () => T): T {
    this.isCommand = true;
    try {
      return act();
    } finally {
      this.isCommand = false;
    }
  }

  /** All further events of an instant are settled. */
  settledFrom(atMs: EpochMs): void {
    this.settledMs = atMs;
  }

  /** Records an answered request of a client. */
  command(request: ApiRequest, answer: Answer, atMs: EpochMs): void {
    this.push(commandEvent(this.spec, request, answer, atMs));
  }

  /** Records a clock change; every role sees it. */
  clockChanged({ atMs, change, speed }: ClockStep): void {
    this.push({
      atMs,
      kind: "clock",
      site: null,
      awardId: null,
      award: null,
      vpp: null,
      detail: `${change.by ?? "server"} ${clockText(change, speed)}`,
      data: { ...clockData(change, speed), by: change.by },
    });
  }

  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    this.sites = sites;
    this.vpps = vpps;
    this.sitesByName = new Map(sites.map((site) => [site.spec.name, site]));
    this.trajectoryStartMs = new Float64Array(sites.length).fill(this.spec.startMs);
    this.lastDispatches = vpps.map(() => sites.map(() => undefined));
    this.received = vpps.map(() => new ReceivedAwards());
    this.attachedHiddenCauses = new HiddenCauses(this.notices, sites);
    this.attachedHiddenShortfall = new HiddenShortfall(sites);
    this.attachedPowerLog = new PowerLog(this.spec, vpps.length, this.attachedHiddenCauses);
    this.attachedLedger = new AwardLedger(
      this.spec,
      sites,
      { causes: true, rows: true },
      { delivery: this.powerLog, awards: [this.beforeSession, this.gapWatches] },
    );
    this.attachedDispatchLog = new DispatchLog(sites);
  }

  onSiteChange(site: Site, atMs: EpochMs): void {
    this.runEvents.log.addTrajectoryEvents(site, this.trajectoryStartMs[site.index], atMs);
    this.trajectoryStartMs[site.index] = atMs;
  }

  onInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    this.ledger.settle(instruction, atMs);
  }

  onTrajectoryInterval(): void {}

  onRegistered(instruction: Instruction, atMs: EpochMs): void {
    this.ledger.onRegistered(instruction);
    this.names.register(namedAward(instruction.origin));
    this.received[instruction.vpp].add(instruction);
    this.runEvents.onRegistered(instruction, atMs);
    // An immediate instruction starts at once.
    if (instruction.kind === "schedule") this.pushOf(instruction, "award_registered", atMs);
  }

  onRefused(origin: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void {
    this.ledger.onRefused(origin, kind);
    this.names.register(namedAward(origin));
    this.runEvents.onRefused(origin, kind, atMs);
    this.push({
      atMs,
      kind: "refused",
      site: null,
      awardId: origin.awardId,
      award: null,
      vpp: this.spec.vpps[origin.vpp].name,
      detail: `is refused: ${textOf("en", `refusal.${kind}`)}`,
      data: { error_type: kind },
    });
  }

  onVoided(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.ledger.onVoided(instruction, by);
    this.runEvents.onVoided(instruction, by, atMs);
    this.pushOf(instruction, "refused", atMs, { change: "no_effect", by_award_id: by.awardId });
    this.received[instruction.vpp].end(instruction, instruction.startMs);
  }

  onOverwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.ledger.onOverwritten(instruction, by);
    this.runEvents.onOverwritten(instruction, by, atMs);
    const isWhole = instruction.state === "overwritten";
    const change = isWhole ? "replaced" : "cut";
    const data = { change, by_award_id: by.awardId };
    const kind = isWhole ? "award_ended" : "award_registered";
    this.pushOf(instruction, kind, atMs, data);
    if (isWhole) this.received[instruction.vpp].end(instruction, instruction.startMs);
  }

  onDeleted(instruction: Instruction, atMs: EpochMs): void {
    this.ledger.onDeleted(instruction);
    this.runEvents.onDeleted(instruction, atMs);
    this.pushOf(instruction, "award_ended", atMs, { change: "deleted" });
    this.received[instruction.vpp].end(instruction, instruction.startMs);
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    this.ledger.onExecuted(instruction, atMs);
    this.beginHidden(instruction, atMs);
    this.runEvents.onExecuted(instruction, atMs);
    this.recordDispatch(instruction, atMs);
    this.pushOf(instruction, "award_started", atMs);
    this.pushDispatch(instruction, "dispatched", atMs);
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.ledger.onRedispatched(instruction);
    this.runEvents.onRedispatched(instruction, atMs);
    this.recordDispatch(instruction, atMs);
    this.pushDispatch(instruction, "redispatched", atMs);
  }

  onEnded(instruction: Instruction, atMs: EpochMs, by: Instruction | null): void {
    if (this.hiddenCauses.mayHide(atMs)) {
      const account = this.ledger.runningAccounts.find((running) => running.instruction === instruction);
      if (account !== undefined) this.hiddenShortfall.awardEnds(account, atMs);
    }
    this.ledger.onEnded(instruction, atMs, by);
    this.runEvents.onEnded(instruction, atMs, by);
    this.dispatchLog.ended(instruction);
    this.gapWatches.ended(instruction);
    if (by === null) this.pushOf(instruction, "award_ended", atMs);
    else {
      const data = { change: "replaced", by_award_id: by.awardId };
      this.pushOf(instruction, "award_ended", atMs, data);
    }
    this.received[instruction.vpp].end(instruction, atMs);
  }

  onRunEvent(kind: RunEventKind, subject: string, detail: string, atMs: EpochMs): void {
    this.runEvents.onRunEvent(kind, subject, detail, atMs);
    const site = this.sitesByName.get(subject);
    const effect = site === undefined ? null : effectOf(kind, site);
    if (site !== undefined && effect !== null) {
      // Only a change on a whole minute can come after the evaluation of its minute.
      const isSettled = (this.isCommand || atMs === this.settledMs) && atMs % MS_PER_MINUTE === 0;
      this.notices.noticeThrough(isSettled ? atMs : atMs - 1);
      this.notices.change({ site: subject, ...effect }, atMs, isSettled ? atMs + 1 : atMs);
      return this.effectChanged(site.index, effect, atMs);
    }
    const event = { atMs, awardId: null, award: null, vpp: null, detail, data: { detail } };
    if (site !== undefined && (kind === "weight" || kind === "membership"))
      this.push({ ...event, kind: "weight_changed", site: subject, ...this.memberChange(site, kind, detail) });
    // The answer to a live command is recorded by `command`.
    if (kind === "request_refused" && !this.isCommand)
      this.push({ ...event, kind: "command_refused", site: null, detail: `${subject}: ${detail}` });
  }

  /** VPP and data of an event about a member. */
  private memberChange(site: Site, kind: "weight" | "membership", detail: string): Pick<FeedEvent, "vpp" | "data"> {
    const vpp = this.vpps.find((candidate) => candidate.findMember(site.index) !== undefined);
    const weight = vpp?.findMember(site.index)?.allocationWeight ?? null;
    const change = kind === "weight" ? "weight" : vpp === undefined ? "left" : "joined";
    return { vpp: vpp?.spec.name ?? null, data: { detail, change, allocation_weight: weight } };
  }

  private recordDispatch(instruction: Instruction, atMs: EpochMs): void {
    this.dispatchLog.record(instruction, atMs);
    if (instruction.hasDelta) return;
    this.gapWatches.add(instruction, atMs, requestedKwOf(instruction), fcrGaps(this.sites, instruction));
  }

  /** Adds the dispatch as one event, and one for each set-point that did not take effect. */
  private pushDispatch(instruction: Instruction, kind: "dispatched" | "redispatched", atMs: EpochMs): void {
    const { table, membership, awardId, vpp } = instruction;
    if (table === null) return;
    const last = this.lastDispatches[vpp];
    let dispatchedCount = 0;
    const refused: FeedEvent[] = [];
    for (let i = 0; i < membership.siteIndices.length; i++) {
      const index = membership.siteIndices[i];
      const outcome = table.setpointOutcome[i];
      const isDispatched = table.status[i] === DISPATCH_OUTCOME.dispatched;
      const isRefused = outcome === DISPATCH_OUTCOME.refused || outcome === DISPATCH_OUTCOME.failed;
      if (isDispatched) dispatchedCount++;
      if (!isDispatched && !isRefused) continue;
      const kw = (instruction.hasDelta ? table.deltaTenths[i] : (table.fcrCapacities?.capacityTenths[i] ?? 0)) / 10;
      const reason = outcome === DISPATCH_OUTCOME.failed ? "delivery_failed" : table.refusals[i];
      last[index] = { awardId, atMs, kw, refusal: isRefused ? reason : null };
      if (!isRefused || reason === null) continue;
      const site = this.sites[index].spec.name;
      refused.push({
        atMs,
        kind: "refused",
        site,
        awardId,
        award: null,
        vpp: this.spec.vpps[vpp].name,
        detail: `refuses its set-point: ${setpointRefusalText(reason)}`,
        data: { cause: reason },
      });
    }
    const uncoveredKw = uncoveredKwOf(instruction);
    const memberCount = membership.siteIndices.length;
    const data = { uncovered_kw: uncoveredKw, dispatched_count: dispatchedCount, member_count: memberCount };
    this.pushOf(instruction, kind, atMs, data);
    for (const event of refused) this.push(event);
  }

  private pushOf(
    instruction: Instruction,
    kind: FeedEvent["kind"],
    atMs: EpochMs,
    data: FeedEvent["data"] = null,
  ): void {
    const { awardId, vpp } = instruction;
    const award = this.received[vpp].current(instruction);
    this.push({ atMs, kind, site: null, awardId, award, vpp: this.spec.vpps[vpp].name, detail: "", data });
  }

  /** Adds an event after what an operator notices before it. */
  private push(event: FeedEvent): void {
    this.notices.noticeThrough(event.atMs);
    this.feed.push(event);
  }

  /** Measures the shortfall of a fault that began, as long as it is not noticed. */
  private effectChanged(
    site: number,
    { subject, state }: { readonly subject: string; readonly state: string | null },
    atMs: EpochMs,
  ): void {
    const cause = causeOfSubject(subject);
    if (cause === null) return;
    if (state === null) this.hiddenShortfall.over(site, cause, atMs);
    else if (this.hiddenCauses.isHidden(cause, site, atMs))
      this.hiddenShortfall.begin(this.ledger.runningAccounts, site, cause, atMs);
  }

  /** An instruction starts while faults of its members are hidden. */
  private beginHidden(instruction: Instruction, atMs: EpochMs): void {
    if (!this.hiddenCauses.mayHide(atMs)) return;
    const started = this.ledger.runningAccounts.filter((account) => account.instruction === instruction);
    for (const site of instruction.membership.siteIndices)
      for (const cause of HIDEABLE_CAUSES)
        if (this.hiddenCauses.isHidden(cause, site, atMs)) this.hiddenShortfall.begin(started, site, cause, atMs);
  }

  private noticed(change: NoticedChange): void {
    // A derated site is in service, so that no event shows it: from now on the power that is missing has its cause.
    if (change.subject !== "derated") this.feed.push(noticedEvent(change));
    const cause = causeOfSubject(change.subject);
    const site = this.sitesByName.get(change.site);
    if (cause === null || change.state === null || site === undefined) return;
    this.powerLog.reveal(CAUSES.indexOf(cause), change.sinceMs, change.noticedMs);
    this.hiddenShortfall.noticed(site.index, cause);
  }
}

function attached<T>(part: T | null): T {
  if (part === null) throw new Error("a record is attached to a world before it is read");
  return part;
}
