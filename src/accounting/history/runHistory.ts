import type { RefusalKind } from "../../base/result.ts";
import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import { ResponseWindowRegistry } from "../../device/frequency/responseWindow.ts";
import { createStepper } from "../../kernel/stepper.ts";
import type { Observer, RunEventKind } from "../../simulation/observer.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import { Site } from "../../site/site.ts";
import { siteStatusMachine } from "../../site/siteStatusMachine.ts";
import { DISPATCH_OUTCOME, DISPATCH_STATUS, type Instruction } from "../../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { createMeter } from "../meters/createMeter.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import { type CompoundBreakdown, CompoundBreakdownLog } from "./compoundBreakdownLog.ts";
import { MembershipLog } from "./membershipLog.ts";
import { PastSite } from "./pastSite.ts";
import { ReductionLog } from "./reductionLog.ts";
import { ScheduleHistory, type ScheduleRecord } from "./scheduleHistory.ts";
import { SpanList } from "./spanList.ts";
import { TrajectoryLog } from "./trajectoryLog.ts";

/** Laws older than this are given up: the longest retention of the documents, and the longest period from its start on. */
const RETENTION_MS = (365 + 31) * MS_PER_DAY;

/** Lists of schedules reach back 30 days by their starts; a schedule lasts a day at most. */
const SCHEDULE_RETENTION_MS = 32 * MS_PER_DAY;

/** The last thing that a VPP's dispatch did with a site (docs/model/members.md#last-dispatch-status). */
export type LastDispatchStatus = (typeof DISPATCH_STATUS)[number];

/**
 * What of a run can be asked later: the laws of every site, gaps of the links, who was a member, demand responses.
 *
 * It holds causes, not samples: power at any instant and energy of any cut come from laws that are planned again, and
 * equal what a recorder beside it writes, to the last bit.
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
  /** Sites whose law is about to change, and when it did. */
  private readonly changedSites: Site[] = [];
  private changedMs: EpochMs = Number.NaN;
  private isChanged = new Uint8Array(0);
  private hadOrders = new Uint8Array(0);
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

  /** The instant at which sites were touched is settled: their new laws are known. */
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
    if (!site.reduction.reducing) return;
    for (const { order, deltaKw } of site.activeOrders)
      if (deltaKw * order.activation < 0) this.siteReductionLogs[index].recordStart(atMs, order.registration);
  }

  /** Orders change while they are in force; the past keeps what they were, once for all sites that have them. */
  private readonly frozenOrder = (order: SiteOrder): SiteOrder => {
    const known = this.frozenOrders.get(order);
    const { sku, startMs, endMs, activation, registration } = order;
    if (known !== undefined && known.activation === activation && known.endMs === endMs && known.startMs === startMs)
      return known;
    const kept: SiteOrder = { sku, startMs, endMs, activation, registration };
    this.frozenOrders.set(order, kept);
    return kept;
  };

  private dropExpired(nowMs: EpochMs): void {
    const beforeMs = nowMs - RETENTION_MS;
    for (const laws of this.trajectoryLogs) laws.dropBefore(beforeMs);
    for (const log of [
      ...this.linkOutageSpans,
      ...this.siteReductionLogs,
      ...this.vppReductionLogs,
      ...this.membershipLogs,
    ])
      log.dropBefore(beforeMs);
    this.compoundBreakdowns.dropBefore(beforeMs);
    for (const book of this.scheduleHistories) book.dropBefore(nowMs - SCHEDULE_RETENTION_MS);
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
    const { table, membership, vpp, registration } = instruction;
    if (table === null) return;
    this.compoundBreakdowns.recordDispatch(instruction, atMs);
    membership.siteIndices.forEach((site, k) => {
      if (
        table.status[k] === DISPATCH_OUTCOME.dispatched &&
        table.deltaTenths[k] < 0 &&
        this.sites[site].resource.hasLoad
      )
        this.vppReductionLogs[vpp].recordStart(atMs, registration);
    });
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

  /** A reader of one site's past; it sees what has happened until now, and each one walks for itself. */
  pastSite(site: number): PastSite {
    const { spec } = this.sites[site];
    return new PastSite(
      new Site(site, spec, this.spec, this.statusStepper, this.frequencyResponses),
      this.trajectoryLogs[site],
    );
  }

  /** When the link of a site was down: nothing was measured there as far as a VPP knows. */
  linkOutages(site: number): SpanList {
    return this.linkOutageSpans[site];
  }

  /** Who belonged to a VPP when. */
  membershipLog(vpp: number): MembershipLog {
    return this.membershipLogs[vpp];
  }

  /** What a site carried of a compound at an instant; `null` for an order that has no parts. */
  compoundBreakdown(order: SiteOrder, site: number, atMs: EpochMs): CompoundBreakdown | null {
    return this.compoundBreakdowns.breakdownAt(order.registration, site, atMs);
  }

  /** The schedules of a VPP: waiting, running, and executed ones of the last 30 days or more. */
  schedules(vpp: number): readonly ScheduleRecord[] {
    return this.scheduleHistories[vpp].listRecords();
  }

  /** What a VPP's last dispatch did with a member, or `null` when it was never instructed. */
  lastDispatchStatus(vpp: number, site: number): LastDispatchStatus | null {
    return this.lastDispatchStatuses[vpp].get(site) ?? null;
  }

  /** Whether a site has executed an order since the run began; the one that begins now is not counted yet. */
  hadOrder(site: number): boolean {
    return this.hadOrders[site] === 1;
  }

  /** Instructions of a VPP that began in a period with a demand response among their members. */
  countVppReductions(vpp: number, startMs: EpochMs, endMs: EpochMs): number {
    return this.vppReductionLogs[vpp].countStarts(startMs, endMs);
  }

  /** Demand responses that began at a site in a period. */
  countSiteReductions(site: number, startMs: EpochMs, endMs: EpochMs): number {
    return this.siteReductionLogs[site].countStarts(startMs, endMs);
  }

  /** How long a site's load was being reduced in a period, in ms. */
  reductionDurationMs(site: number, startMs: EpochMs, endMs: EpochMs): number {
    const laws = this.trajectoryLogs[site];
    let sumMs = 0;
    for (let k = Math.max(laws.indexAt(startMs), laws.firstIndex); k < laws.endIndex; k++) {
      const fromMs = laws.startMs(k);
      if (endMs <= fromMs) break;
      if (!laws.isReducing(k)) continue;
      const untilMs = k + 1 < laws.endIndex ? laws.startMs(k + 1) : endMs;
      sumMs += Math.max(0, Math.min(untilMs, endMs) - Math.max(fromMs, startMs));
    }
    return sumMs;
  }
}
