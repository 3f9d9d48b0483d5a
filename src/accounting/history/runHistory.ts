import type { RefusalKind } from "../../base/result.ts";
import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import { GridFrequency } from "../../engine/device/frequency/gridFrequency.ts";
import { ResponseWindowRegistry } from "../../engine/device/frequency/responseWindow.ts";
import { createStepper } from "../../engine/kernel/stepper.ts";
import type { Observer, RunEventKind } from "../../engine/simulation/observer.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { SiteOrder } from "../../engine/site/orders/siteOrder.ts";
import { Site } from "../../engine/site/site.ts";
import { siteStatusMachine } from "../../engine/site/siteStatusMachine.ts";
import { memberBreakdowns } from "../../engine/vpp/allocation/memberBreakdowns.ts";
import { DISPATCH_STATUS, type Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import { createMeter } from "../meters/siteLedger.ts";
import { MembershipLog } from "./membershipLog.ts";
import { PastSite } from "./pastSite.ts";
import { type Period, ScheduleHistory, type ScheduleRecord } from "./scheduleHistory.ts";
import { SpanList } from "./spanList.ts";
import { TrajectoryLog } from "./trajectoryLog.ts";

/**
 * Trajectories older than this are removed: the longest retention of the documents plus the longest period that can
 * start within it.
 */
const RETENTION_MS = (365 + 31) * MS_PER_DAY;

/** The API lists schedules that started up to 30 days ago; a schedule lasts a day at most. */
const SCHEDULE_RETENTION_MS = 32 * MS_PER_DAY;

/** Result of a VPP's last dispatch for a site (docs/model/members.md#last-dispatch-status). */
type LastDispatchStatus = (typeof DISPATCH_STATUS)[number];

/**
 * The past of a run, as far as the APIs report it: trajectories of every site, link outages, membership, demand
 * responses, schedules.
 *
 * It stores the states from which trajectories are planned, not samples. Power at any instant and energy of any
 * interval are computed from the trajectories planned again, and equal the values of a recorder to the last bit.
 */
export class RunHistory implements Observer {
  private readonly spec: WorldSpec;
  private readonly statusStepper = createStepper(siteStatusMachine, "table");
  private readonly frequencyResponses: ResponseWindowRegistry;
  private sites: readonly Site[] = [];
  private trajectoryLogs: readonly TrajectoryLog[] = [];
  private meters: readonly SiteMeter[] = [];
  private linkOutageSpans: readonly SpanList[] = [];
  private siteReductionLogs: readonly ReductionLog[] = [];
  private vppReductionLogs: readonly ReductionLog[] = [];
  private membershipLogs: readonly MembershipLog[] = [];
  private scheduleHistories: readonly ScheduleHistory[] = [];
  private readonly compoundBreakdowns = new CompoundBreakdownLog();
  private lastDispatchStatuses: readonly Map<number, LastDispatchStatus>[] = [];
  /** Sites whose trajectory changes at `changedMs`, until the new trajectory is recorded. */
  private readonly changedSites: Site[] = [];
  private changedMs: EpochMs = Number.NaN;
  private isChanged = new Uint8Array(0);
  /** VPP of each running instruction, by registration number. */
  private readonly runningVpps = new Map<number, number>();
  private hadOrders = new Uint8Array(0);
  private readonly presentSites = new Map<number, PastSite>();
  private nextDropMs: EpochMs;
  private readonly frozenOrders = new WeakMap<SiteOrder, SiteOrder>();

  constructor(spec: WorldSpec) {
    this.spec = spec;
    const { frequencyHz, seed, streamsFromMs: startMs } = spec;
    this.frequencyResponses = new ResponseWindowRegistry(new GridFrequency(frequencyHz, { seed, startMs }));
    this.nextDropMs = spec.startMs + MS_PER_DAY;
  }

  get startMs(): EpochMs {
    return this.spec.startMs;
  }

  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    const { startMs } = this.spec;
    this.sites = sites;
    this.trajectoryLogs = sites.map(() => new TrajectoryLog());
    this.meters = sites.map((site) => createMeter(site, startMs));
    this.linkOutageSpans = sites.map(() => new SpanList());
    this.siteReductionLogs = sites.map(() => new ReductionLog());
    this.vppReductionLogs = vpps.map(() => new ReductionLog());
    this.membershipLogs = vpps.map((vpp) => new MembershipLog(vpp, startMs));
    this.lastDispatchStatuses = vpps.map(() => new Map());
    this.scheduleHistories = vpps.map(() => new ScheduleHistory());
    this.isChanged = new Uint8Array(sites.length);
    this.hadOrders = new Uint8Array(sites.length);
  }

  onSiteChange(site: Site, atMs: EpochMs): void {
    this.meters[site.index].close(atMs);
    this.changedMs = atMs;
    if (this.isChanged[site.index] === 1) return;
    this.isChanged[site.index] = 1;
    this.changedSites.push(site);
  }

  /** The instant of the changes is complete, so that the new trajectories are final. */
  onTrajectoryInterval(_fromMs: EpochMs, toMs: EpochMs): void {
    for (const site of this.changedSites) this.recordTrajectory(site, this.changedMs);
    this.changedSites.length = 0;
    if (this.nextDropMs <= toMs) this.dropExpired(toMs);
  }

  private recordTrajectory(site: Site, atMs: EpochMs): void {
    const { index } = site;
    this.isChanged[index] = 0;
    this.trajectoryLogs[index].append(site, atMs, this.frozenOrder, () => this.meters[index].read(atMs));
    if (site.activeOrders.length > 0) this.hadOrders[index] = 1;
    for (const registration of reducingRegistrations(site)) {
      this.siteReductionLogs[index].recordStart(atMs, registration);
      const vpp = this.runningVpps.get(registration);
      if (vpp !== undefined) this.vppReductionLogs[vpp].recordStart(atMs, registration);
    }
  }

  /** Orders change while they are in force. The log stores an immutable copy, one for all sites of an order. */
  private readonly frozenOrder = (order: SiteOrder): SiteOrder => {
    const frozen = this.frozenOrders.get(order);
    const { sku, startMs, endMs, activation, registration } = order;
    if (
      frozen !== undefined &&
      frozen.activation === activation &&
      frozen.endMs === endMs &&
      frozen.startMs === startMs
    )
      return frozen;
    const copy: SiteOrder = { sku, startMs, endMs, activation, registration };
    this.frozenOrders.set(order, copy);
    return copy;
  };

  private dropExpired(nowMs: EpochMs): void {
    const beforeMs = nowMs - RETENTION_MS;
    for (const log of this.trajectoryLogs) log.dropBefore(beforeMs);
    for (const log of [
      ...this.linkOutageSpans,
      ...this.siteReductionLogs,
      ...this.vppReductionLogs,
      ...this.membershipLogs,
    ])
      log.dropBefore(beforeMs);
    this.compoundBreakdowns.dropBefore(beforeMs);
    for (const history of this.scheduleHistories) history.dropBefore(nowMs - SCHEDULE_RETENTION_MS);
    this.nextDropMs = nowMs + MS_PER_DAY;
  }

  onRunEvent(kind: RunEventKind, subject: string, _detail: string, atMs: EpochMs): void {
    if (kind === "membership") for (const log of this.membershipLogs) log.recordMemberChange(atMs);
    if (kind !== "link") return;
    const site = this.sites.find(({ spec }) => spec.name === subject);
    if (site === undefined) return;
    if (site.activeLinkFaultCount > 0) this.linkOutageSpans[site.index].beginSpan(atMs);
    else this.linkOutageSpans[site.index].endSpan(atMs);
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    if (instruction.table === null) return;
    this.runningVpps.set(instruction.registration, instruction.vpp);
    this.compoundBreakdowns.recordDispatch(instruction, atMs);
    this.recordDispatchStatuses(instruction);
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.compoundBreakdowns.recordDispatch(instruction, atMs);
    this.recordDispatchStatuses(instruction);
  }

  private recordDispatchStatuses({ table, membership, vpp }: Instruction): void {
    if (table === null) return;
    const last = this.lastDispatchStatuses[vpp];
    membership.siteIndices.forEach((site, k) => {
      last.set(site, DISPATCH_STATUS[table.status[k]]);
    });
  }

  onVoided(instruction: Instruction, _by: Instruction, atMs: EpochMs): void {
    if (instruction.kind !== "immediate") return this.scheduleHistories[instruction.vpp].remove(instruction);
    const last = this.lastDispatchStatuses[instruction.vpp];
    for (const [site, spans] of this.membershipLogs[instruction.vpp].spansBySite)
      if (spans.includes(atMs)) last.set(site, "skipped_incompatible");
  }

  onEnded(instruction: Instruction, atMs: EpochMs, _by: Instruction | null): void {
    this.runningVpps.delete(instruction.registration);
    this.membershipLogs[instruction.vpp].recordInstructionEnd(instruction, atMs);
    this.scheduleHistories[instruction.vpp].recordEnd(instruction, atMs);
  }

  onRegistered(instruction: Instruction, _atMs: EpochMs): void {
    if (instruction.kind === "schedule") this.scheduleHistories[instruction.vpp].add(instruction);
  }

  onOverwritten(instruction: Instruction, _by: Instruction, _atMs: EpochMs): void {
    if (instruction.state === "overwritten") this.scheduleHistories[instruction.vpp].remove(instruction);
  }

  onDeleted(instruction: Instruction, _atMs: EpochMs): void {
    this.scheduleHistories[instruction.vpp].remove(instruction);
  }

  onInstructionChange(_instruction: Instruction, _atMs: EpochMs): void {}
  onRefused(_origin: InstructionOrigin, _kind: RefusalKind, _atMs: EpochMs): void {}

  /** A new reader of one site's past, up to the present instant; readers are independent of each other. */
  pastSite(site: number): PastSite {
    const { spec } = this.sites[site];
    return new PastSite(
      new Site(site, spec, this.spec, this.statusStepper, this.frequencyResponses),
      this.trajectoryLogs[site],
      this.presentTrajectory(site),
    );
  }

  /** A second site in the present state, which the caller may advance to now; the same one at each call. */
  presentSite(site: number, nowMs: EpochMs): Site {
    let present = this.presentSites.get(site);
    if (present === undefined) this.presentSites.set(site, (present = this.pastSite(site)));
    present.seekPresent(nowMs, this.presentTrajectory(site));
    return present.site;
  }

  /** The trajectory that a site began at the present instant, which the log gets when time moves on; or `null`. */
  private presentTrajectory(index: number): TrajectoryLog | null {
    if (this.isChanged[index] === 0) return null;
    const present = new TrajectoryLog();
    present.append(this.sites[index], this.changedMs, this.frozenOrder, () => this.meters[index].read(this.changedMs));
    return present;
  }

  /** Periods in which the link of a site was down, so that a VPP received no measurements. */
  linkOutages(site: number): SpanList {
    return this.linkOutageSpans[site];
  }

  /** Periods of membership in a VPP. */
  membershipLog(vpp: number): MembershipLog {
    return this.membershipLogs[vpp];
  }

  /** A site's part of a compound at an instant, by product leg; `null` for an order that is no compound. */
  compoundBreakdown(order: SiteOrder, site: number, atMs: EpochMs): CompoundBreakdown | null {
    return this.compoundBreakdowns.breakdownAt(order.registration, site, atMs);
  }

  /** The schedules of a VPP around a period: waiting, running, and those executed in the last 30 days or more. */
  schedules(vpp: number, period: Period): readonly ScheduleRecord[] {
    return this.scheduleHistories[vpp].listRecords(period);
  }

  /** One of these schedules; `undefined` for others. */
  schedule(instruction: Instruction): ScheduleRecord | undefined {
    return this.scheduleHistories[instruction.vpp].recordOf(instruction);
  }

  /** Result of a VPP's last dispatch for a member, or `null` if it was never dispatched. */
  lastDispatchStatus(vpp: number, site: number): LastDispatchStatus | null {
    return this.lastDispatchStatuses[vpp].get(site) ?? null;
  }

  /**
   * Whether a site has executed an order since the run began; an order that begins at the present instant does not
   * count yet.
   */
  hadOrder(site: number): boolean {
    return this.hadOrders[site] === 1;
  }

  /** Instructions of a VPP for which a member first reduced its load in a period (docs/model/apis.md#dr-counters). */
  countVppReductions(vpp: number, startMs: EpochMs, endMs: EpochMs): number {
    const present = this.presentReductions(this.changedSites).filter((number) => this.runningVpps.get(number) === vpp);
    return this.countReductions(this.vppReductionLogs[vpp], present, startMs, endMs);
  }

  /** Demand responses of a site that began in a period. */
  countSiteReductions(site: number, startMs: EpochMs, endMs: EpochMs): number {
    const present = this.presentReductions(this.isChanged[site] === 1 ? [this.sites[site]] : []);
    return this.countReductions(this.siteReductionLogs[site], present, startMs, endMs);
  }

  /** Registration numbers of the orders whose reductions are in force since the present instant. */
  private presentReductions(sites: readonly Site[]): readonly number[] {
    return [...new Set(sites.flatMap(reducingRegistrations))];
  }

  private countReductions(log: ReductionLog, present: readonly number[], startMs: EpochMs, endMs: EpochMs): number {
    const isPresent = startMs <= this.changedMs && this.changedMs < endMs;
    return log.countStarts(startMs, endMs) + (isPresent ? present.filter((number) => !log.has(number)).length : 0);
  }

  /** Time within a period in which a site was reducing its load, in ms. */
  reductionDurationMs(site: number, startMs: EpochMs, endMs: EpochMs): number {
    const log = this.trajectoryLogs[site];
    let sumMs = 0;
    for (let k = Math.max(log.indexAt(startMs), log.firstIndex); k < log.endIndex; k++) {
      const fromMs = log.startMs(k);
      if (endMs <= fromMs) break;
      if (!log.isReducing(k)) continue;
      const untilMs = k + 1 < log.endIndex ? log.startMs(k + 1) : endMs;
      sumMs += Math.max(0, Math.min(untilMs, endMs) - Math.max(fromMs, startMs));
    }
    return sumMs;
  }
}

/** Registration numbers of the orders for which a site reduces its load; batteries and plants can cover an order alone. */
function reducingRegistrations(site: Site): readonly number[] {
  if (!site.reduction.reducing) return [];
  return site.activeOrders
    .filter(({ order, deltaKw }) => deltaKw * order.activation < 0)
    .map(({ order }) => order.registration);
}

/** One demand response, identified by the registration number of its instruction or direct order. */
interface ReductionStart {
  readonly atMs: EpochMs;
  readonly registration: number;
}

/**
 * Starts of demand responses. The pieces of a split schedule count once, from the first piece
 * (docs/model/accounting.md#dr-delivered).
 */
class ReductionLog {
  private starts: ReductionStart[] = [];
  private readonly knownRegistrations = new Set<number>();

  recordStart(atMs: EpochMs, registration: number): void {
    if (this.knownRegistrations.has(registration)) return;
    this.knownRegistrations.add(registration);
    this.starts.push({ atMs, registration });
  }

  has(registration: number): boolean {
    return this.knownRegistrations.has(registration);
  }

  countStarts(startMs: EpochMs, endMs: EpochMs): number {
    let count = 0;
    for (const { atMs } of this.starts) if (startMs <= atMs && atMs < endMs) count++;
    return count;
  }

  dropBefore(atMs: EpochMs): void {
    if (this.starts.length === 0 || atMs <= this.starts[0].atMs) return;
    for (const start of this.starts) if (start.atMs < atMs) this.knownRegistrations.delete(start.registration);
    this.starts = this.starts.filter((start) => atMs <= start.atMs);
  }
}

/** kW by product leg of a compound. */
export type CompoundBreakdown = Readonly<Record<string, number>>;

interface DispatchedBreakdown {
  readonly atMs: EpochMs;
  /** By site index. */
  readonly bySite: ReadonlyMap<number, CompoundBreakdown>;
}

/** Each member's breakdown of compounds by product leg, one record per dispatch; most instructions have none. */
class CompoundBreakdownLog {
  /** By the instruction's registration number. */
  private readonly dispatches = new Map<number, DispatchedBreakdown[]>();

  recordDispatch(instruction: Instruction, atMs: EpochMs): void {
    const { table, membership, registration } = instruction;
    const records = table === null ? null : memberBreakdowns(instruction, table.deltaTenths);
    if (records === null) return;
    const bySite = new Map(records.map((record, k) => [membership.siteIndices[k], record]));
    const dispatches = this.dispatches.get(registration);
    if (dispatches === undefined) this.dispatches.set(registration, [{ atMs, bySite }]);
    else dispatches.push({ atMs, bySite });
  }

  /** A site's breakdown at an instant, or `null` for an order that is no compound. */
  breakdownAt(registration: number, site: number, atMs: EpochMs): CompoundBreakdown | null {
    const last = this.dispatches.get(registration)?.findLast((dispatch) => dispatch.atMs <= atMs);
    return last?.bySite.get(site) ?? null;
  }

  dropBefore(atMs: EpochMs): void {
    for (const [registration, dispatch] of this.dispatches)
      if ((dispatch.at(-1)?.atMs ?? 0) < atMs) this.dispatches.delete(registration);
  }
}
