import type { RefusalKind } from "../../base/result.ts";
import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import { FrequencyResponses } from "../../device/frequency/responseWindow.ts";
import { createStepper } from "../../kernel/step.ts";
import type { HappeningKind, Observer } from "../../simulation/observer.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { SiteOrder } from "../../site/orders/siteOrder.ts";
import { Site } from "../../site/site.ts";
import { siteStatusMachine } from "../../site/siteStatusMachine.ts";
import { DISPATCH, DISPATCH_STATUS, type Instruction } from "../../vpp/instructions/instruction.ts";
import type { Origin } from "../../vpp/instructions/orderSpec.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { createMeter } from "../meters/createMeter.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import { type Breakdown, BreakdownLog } from "./breakdownLog.ts";
import { LawLog } from "./lawLog.ts";
import { MembershipLog } from "./membershipLog.ts";
import { PastSite } from "./pastSite.ts";
import { ReductionLog } from "./reductionLog.ts";
import { type BookedSchedule, ScheduleBook } from "./scheduleBook.ts";
import { Spans } from "./spans.ts";

/** Laws older than this are given up: the longest retention of the documents, and the longest period from its start on. */
const KEPT_MS = (365 + 31) * MS_PER_DAY;

/** Lists of schedules reach back 30 days by their starts; a schedule lasts a day at most. */
const SCHEDULES_KEPT_MS = 32 * MS_PER_DAY;

/** The last thing that a VPP's dispatch did with a site (decisions.md 59). */
export type LastDispatch = (typeof DISPATCH_STATUS)[number];

/**
 * What of a run can be asked later: the laws of every site, gaps of the links, who was a member, demand responses.
 *
 * It holds causes, not samples: power at any instant and energy of any cut come from laws that are planned again, and
 * equal what a recorder beside it writes, to the last bit.
 */
export class History implements Observer {
  private readonly spec: WorldSpec;
  private readonly status = createStepper(siteStatusMachine, "table");
  private readonly responses: FrequencyResponses;
  private sites: readonly Site[] = [];
  private laws: readonly LawLog[] = [];
  private meters: readonly SiteMeter[] = [];
  private links: readonly Spans[] = [];
  private siteReductions: readonly ReductionLog[] = [];
  private vppReductions: readonly ReductionLog[] = [];
  private memberships: readonly MembershipLog[] = [];
  private scheduleBooks: readonly ScheduleBook[] = [];
  private readonly breakdowns = new BreakdownLog();
  private lastDispatches: readonly Map<number, LastDispatch>[] = [];
  /** Sites whose law is about to change, and when it did. */
  private readonly touched: Site[] = [];
  private touchedMs: EpochMs = Number.NaN;
  private isTouched = new Uint8Array(0);
  private toldSites = new Uint8Array(0);
  private dropMs: EpochMs;
  private readonly orders = new WeakMap<SiteOrder, SiteOrder>();

  constructor(spec: WorldSpec) {
    this.spec = spec;
    const { frequencyHz, seed, streamsFromMs: startMs } = spec;
    this.responses = new FrequencyResponses(new GridFrequency(frequencyHz, { seed, startMs }));
    this.dropMs = spec.startMs + MS_PER_DAY;
  }

  get startMs(): EpochMs {
    return this.spec.startMs;
  }

  attached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    const { startMs } = this.spec;
    this.sites = sites;
    this.laws = sites.map(() => new LawLog());
    this.meters = sites.map((site) => createMeter(site, startMs));
    this.links = sites.map(() => new Spans());
    this.siteReductions = sites.map(() => new ReductionLog());
    this.vppReductions = vpps.map(() => new ReductionLog());
    this.memberships = vpps.map((vpp) => new MembershipLog(vpp, startMs));
    this.lastDispatches = vpps.map(() => new Map());
    this.scheduleBooks = vpps.map(() => new ScheduleBook());
    this.isTouched = new Uint8Array(sites.length);
    this.toldSites = new Uint8Array(sites.length);
  }

  siteCloses(site: Site, atMs: EpochMs): void {
    this.meters[site.index].close(atMs);
    this.touchedMs = atMs;
    if (this.isTouched[site.index] === 1) return;
    this.isTouched[site.index] = 1;
    this.touched.push(site);
  }

  /** The instant at which sites were touched is settled: their new laws are known. */
  lawsHold(_fromMs: EpochMs, toMs: EpochMs): void {
    for (const site of this.touched) this.note(site, this.touchedMs);
    this.touched.length = 0;
    if (this.dropMs <= toMs) this.drop(toMs);
  }

  private note(site: Site, atMs: EpochMs): void {
    const { index } = site;
    this.isTouched[index] = 0;
    this.laws[index].note(site, atMs, this.orderOf, () => this.meters[index].read(atMs));
    if (site.ruling.length > 0) this.toldSites[index] = 1;
    if (!site.reduction.reducing) return;
    for (const { order, deltaKw } of site.ruling)
      if (deltaKw * order.activation < 0) this.siteReductions[index].begin(atMs, order.registration);
  }

  /** Orders change while they are in force; the past keeps what they were, once for all sites that have them. */
  private readonly orderOf = (order: SiteOrder): SiteOrder => {
    const known = this.orders.get(order);
    const { sku, startMs, endMs, activation, registration } = order;
    if (known !== undefined && known.activation === activation && known.endMs === endMs && known.startMs === startMs)
      return known;
    const kept: SiteOrder = { sku, startMs, endMs, activation, registration };
    this.orders.set(order, kept);
    return kept;
  };

  private drop(nowMs: EpochMs): void {
    const beforeMs = nowMs - KEPT_MS;
    for (const laws of this.laws) laws.dropBefore(beforeMs);
    for (const log of [...this.links, ...this.siteReductions, ...this.vppReductions, ...this.memberships])
      log.dropBefore(beforeMs);
    this.breakdowns.dropBefore(beforeMs);
    for (const book of this.scheduleBooks) book.dropBefore(nowMs - SCHEDULES_KEPT_MS);
    this.dropMs = nowMs + MS_PER_DAY;
  }

  happened(kind: HappeningKind, subject: string, _detail: string, atMs: EpochMs): void {
    if (kind === "membership") for (const log of this.memberships) log.changed(atMs);
    if (kind !== "link") return;
    const site = this.sites.find(({ spec }) => spec.name === subject);
    if (site === undefined) return;
    if (site.linkDownCount > 0) this.links[site.index].begin(atMs);
    else this.links[site.index].end(atMs);
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    const { table, membership, vpp, registration } = instruction;
    if (table === null) return;
    this.breakdowns.dispatched(instruction, atMs);
    membership.sites.forEach((site, k) => {
      if (table.status[k] === DISPATCH.dispatched && table.deltaTenths[k] < 0 && hasConsumer(this.sites[site]))
        this.vppReductions[vpp].begin(atMs, registration);
    });
    this.remember(instruction);
  }

  redispatched(instruction: Instruction, atMs: EpochMs): void {
    this.breakdowns.dispatched(instruction, atMs);
    this.remember(instruction);
  }

  private remember({ table, membership, vpp }: Instruction): void {
    if (table === null) return;
    const last = this.lastDispatches[vpp];
    membership.sites.forEach((site, k) => {
      last.set(site, DISPATCH_STATUS[table.status[k]]);
    });
  }

  voided(instruction: Instruction, _by: Instruction, atMs: EpochMs): void {
    if (instruction.kind !== "immediate") return this.scheduleBooks[instruction.vpp].remove(instruction);
    const last = this.lastDispatches[instruction.vpp];
    for (const [site, spans] of this.memberships[instruction.vpp].members)
      if (spans.holdsAt(atMs)) last.set(site, "skipped_incompatible");
  }

  ended(instruction: Instruction, atMs: EpochMs, _by: Instruction | null): void {
    this.memberships[instruction.vpp].ended(instruction, atMs);
    this.scheduleBooks[instruction.vpp].ended(instruction, atMs);
  }

  registered(instruction: Instruction, _atMs: EpochMs): void {
    if (instruction.kind === "schedule") this.scheduleBooks[instruction.vpp].add(instruction);
  }

  overwritten(instruction: Instruction, _by: Instruction, _atMs: EpochMs): void {
    if (instruction.state === "overwritten") this.scheduleBooks[instruction.vpp].remove(instruction);
  }

  deleted(instruction: Instruction, _atMs: EpochMs): void {
    this.scheduleBooks[instruction.vpp].remove(instruction);
  }

  instructionCloses(_instruction: Instruction, _atMs: EpochMs): void {}
  refused(_origin: Origin, _kind: RefusalKind, _atMs: EpochMs): void {}

  /** A reader of one site's past; it sees what has happened until now, and each one walks for itself. */
  past(site: number): PastSite {
    const { spec } = this.sites[site];
    return new PastSite(new Site(site, spec, this.spec, this.status, this.responses), this.laws[site]);
  }

  /** When the link of a site was down: nothing was measured there as far as a VPP knows. */
  linkGaps(site: number): Spans {
    return this.links[site];
  }

  /** Who belonged to a VPP when. */
  membership(vpp: number): MembershipLog {
    return this.memberships[vpp];
  }

  /** What a site carried of a compound at an instant; `null` for an order that has no parts. */
  breakdown(order: SiteOrder, site: number, atMs: EpochMs): Breakdown | null {
    return this.breakdowns.at(order.registration, site, atMs);
  }

  /** The schedules of a VPP: waiting, running, and executed ones of the last 30 days or more. */
  schedules(vpp: number): readonly BookedSchedule[] {
    return this.scheduleBooks[vpp].all();
  }

  /** What a VPP's last dispatch did with a member, or `null` when it was never instructed. */
  lastDispatch(vpp: number, site: number): LastDispatch | null {
    return this.lastDispatches[vpp].get(site) ?? null;
  }

  /** Whether a site has executed an order since the run began; the one that begins now is not counted yet. */
  wasTold(site: number): boolean {
    return this.toldSites[site] === 1;
  }

  /** Instructions of a VPP that began in a period with a demand response among their members. */
  vppReductionsBetween(vpp: number, startMs: EpochMs, endMs: EpochMs): number {
    return this.vppReductions[vpp].countBetween(startMs, endMs);
  }

  /** Demand responses that began at a site in a period. */
  siteReductionsBetween(site: number, startMs: EpochMs, endMs: EpochMs): number {
    return this.siteReductions[site].countBetween(startMs, endMs);
  }

  /** How long a site's load was being reduced in a period, in ms. */
  reductionMs(site: number, startMs: EpochMs, endMs: EpochMs): number {
    const laws = this.laws[site];
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

const hasConsumer = ({ unit }: Site): boolean =>
  unit.kind === "consumer" || (unit.kind === "multi_component" && unit.consumers.length > 0);
