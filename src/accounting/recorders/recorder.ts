import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { HappeningKind, Observer } from "../../simulation/observer.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { BankObserver } from "../../site/batch/plainBank.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { Origin } from "../../vpp/instructions/orderSpec.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { computeKpis } from "../kpis/kpis.ts";
import { BankBook } from "../meters/bankBook.ts";
import { SiteLedger } from "../meters/siteLedger.ts";
import type { RunRecord } from "../runRecord.ts";
import { AwardBook } from "../settlement/awardBook.ts";
import { EnergyCost } from "../settlement/energyCost.ts";
import type { BlockSink } from "./block.ts";
import { DispatchRecorder } from "./dispatchRecorder.ts";
import { EnergyRecorder } from "./energyRecorder.ts";
import { EventLog } from "./eventLog.ts";
import { plannedOutageWarnings } from "./plannedOutages.ts";
import { PowerRecorder } from "./powerRecorder.ts";
import { ReductionBook } from "./reductionBook.ts";
import { Timeline } from "./timeline.ts";

/** What to keep of a run; a sink that is left out costs nothing. */
export interface RecordOptions {
  /** Length of an energy record. */
  readonly intervalMs: number;
  /** Spacing of power samples; needed with a `power` sink. */
  readonly powerIntervalMs?: number;
  readonly energy?: BlockSink;
  readonly vppEnergy?: BlockSink;
  /** Energy paths of the components of sites that have several. */
  readonly components?: BlockSink;
  readonly power?: BlockSink;
  readonly dispatch?: BlockSink;
  readonly events?: BlockSink;
  /** Whether timelines for pictures are kept. Default true. */
  readonly timelines?: boolean;
  /** Whether gaps are put down to causes and members; key figures need neither. Default true. */
  readonly causes?: boolean;
  /** Whether awards and reductions have rows, and those of sites cycles; key figures need none of it. Default true. */
  readonly rows?: boolean;
}

/** Whether something is written while the run goes on. */
export const writesTables = ({ energy, vppEnergy, components, power, dispatch, events }: RecordOptions): boolean =>
  [energy, vppEnergy, components, power, dispatch, events].some((sink) => sink !== undefined);

/** Folds the facts of a run into tables, causes and key figures. Attach it to a world before time moves. */
export class Recorder extends Copyable implements Observer {
  private readonly spec: WorldSpec;
  private readonly options: RecordOptions;
  private sites: readonly Site[] = [];
  private vpps: readonly Vpp[] = [];
  private ledger!: SiteLedger;
  private reductions: ReductionBook | null = null;
  private awards!: AwardBook;
  private energy: EnergyRecorder | null = null;
  private cost: EnergyCost | null = null;
  private power: PowerRecorder | null = null;
  private dispatch: DispatchRecorder | null = null;
  private events: EventLog | null = null;
  private timeline: Timeline | null = null;
  private bankBook: BankBook | null = null;

  constructor(spec: WorldSpec, options: RecordOptions) {
    super();
    this.spec = spec;
    this.options = options;
  }

  attached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    const { startMs, endMs } = this.spec;
    const options = this.options;
    this.sites = sites;
    this.vpps = vpps;
    const hasRows = options.rows !== false;
    this.ledger = new SiteLedger(sites, startMs, hasRows);
    if (hasRows) this.reductions = new ReductionBook(this.ledger.meters);
    if (options.timelines !== false) this.timeline = new Timeline(startMs, endMs, vpps.length, sites);
    const kept = { causes: options.causes !== false, rows: hasRows };
    this.awards = new AwardBook(this.spec, sites, kept, this.timeline);
    if (options.energy !== undefined || options.vppEnergy !== undefined || options.components !== undefined)
      this.energy = new EnergyRecorder({
        meters: this.ledger.meters,
        vpps,
        uncoveredKwh: (vpp, atMs) => this.awards.uncoveredKwhUntil(vpp, atMs),
        startMs,
        endMs,
        intervalMs: options.intervalMs,
        sites: options.energy ?? null,
        vppSink: options.vppEnergy ?? null,
        partsSink: options.components ?? null,
      });
    const { energyPriceJpyPerKwh } = this.spec;
    if (energyPriceJpyPerKwh !== null)
      this.cost = new EnergyCost(this.ledger.meters, energyPriceJpyPerKwh, startMs, endMs);
    if (options.power !== undefined && options.powerIntervalMs !== undefined)
      this.power = new PowerRecorder(sites, this.spec, options.powerIntervalMs, options.power);
    if (options.dispatch !== undefined) this.dispatch = new DispatchRecorder(sites, options.dispatch);
    if (options.events !== undefined) this.events = new EventLog();
  }

  /** Key figures alone need no plain site by itself. */
  bankObserver(): BankObserver | null {
    const { causes, rows } = this.options;
    if (causes !== false || rows !== false || this.timeline !== null || writesTables(this.options)) return null;
    const book = new BankBook(this.ledger);
    this.bankBook = book;
    this.awards.useBank(book);
    if (this.cost !== null) this.cost.bankBook = book;
    return book;
  }

  siteCloses(site: Site, atMs: EpochMs): void {
    const fromMs = this.ledger.lawBeganMs(site);
    this.events?.readLaw(site, fromMs, atMs);
    this.ledger.close(site, atMs);
    this.reductions?.lawEnded(site, fromMs, atMs);
  }

  instructionCloses(instruction: Instruction, atMs: EpochMs): void {
    this.awards.settle(instruction, atMs);
  }

  lawsHold(_fromMs: EpochMs, toMs: EpochMs): void {
    this.readMeters(toMs);
    this.power?.recordBefore(toMs);
    this.timeline?.recordThrough(toMs);
  }

  /** Meters walk forward: those who read them take turns, so that nobody asks for an instant that another has passed. */
  private readMeters(untilMs: EpochMs): void {
    for (;;) {
      const energyMs = this.energy?.dueMs ?? Number.POSITIVE_INFINITY;
      const nextMs = Math.min(energyMs, this.cost?.dueMs ?? Number.POSITIVE_INFINITY);
      if (untilMs < nextMs || nextMs === Number.POSITIVE_INFINITY) return;
      this.energy?.recordThrough(nextMs);
      this.cost?.recordThrough(nextMs);
    }
  }

  registered(instruction: Instruction, atMs: EpochMs): void {
    this.awards.registered(instruction);
    this.happened("schedule_created", instruction.id, instruction.kind, atMs);
  }

  refused(origin: Origin, kind: RefusalKind, atMs: EpochMs): void {
    this.awards.refused(origin, kind);
    this.happened("refusal", origin.awardId, kind, atMs);
  }

  voided(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.awards.voided(instruction, by);
    this.happened("refusal", instruction.id, `without effect: ${by.id} is running`, atMs);
  }

  overwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void {
    this.awards.overwritten(instruction, by);
    // One of which nothing is left is deleted, as the answer to its caller says (decisions.md 37).
    const kind = instruction.state === "overwritten" ? "schedule_deleted" : "schedule_split";
    this.happened(kind, instruction.id, `overwritten by ${by.id}`, atMs);
  }

  deleted(instruction: Instruction, atMs: EpochMs): void {
    this.awards.deleted(instruction);
    this.happened("schedule_deleted", instruction.id, "before its start", atMs);
  }

  executed(instruction: Instruction, atMs: EpochMs): void {
    this.awards.executed(instruction, atMs);
    this.dispatch?.record(instruction, atMs);
  }

  redispatched(instruction: Instruction, atMs: EpochMs): void {
    this.awards.redispatched(instruction);
    this.dispatch?.record(instruction, atMs);
    this.happened("redispatch", instruction.id, uncoveredText(instruction), atMs);
  }

  ended(instruction: Instruction, _atMs: EpochMs, by: Instruction | null): void {
    this.awards.ended(instruction, by);
    this.dispatch?.ended(instruction);
  }

  happened(kind: HappeningKind, subject: string, detail: string, atMs: EpochMs): void {
    this.events?.add(atMs, kind, subject, detail);
  }

  /** Closes all accounts at the end of the run, to which the world has been advanced. */
  finish(): RunRecord {
    const { endMs, startMs } = this.spec;
    const awards = this.awards.finish(endMs);
    for (const site of this.sites) {
      this.bankBook?.leave(site);
      this.siteCloses(site, endMs);
      site.advance(endMs);
    }
    this.energy?.finish();
    this.power?.finish();
    this.dispatch?.finish();
    if (this.options.events !== undefined) this.events?.writeTo(this.options.events);
    const vppOf = new Map<number, string>();
    for (const { name, members } of this.spec.vpps) for (const { site } of members) vppOf.set(site, name);
    for (const event of this.spec.events)
      if (event.kind === "add_member" && !vppOf.has(event.site)) vppOf.set(event.site, this.spec.vpps[event.vpp].name);
    const sites = this.sites.map((site) => this.ledger.row(site, endMs, vppOf.get(site.index) ?? null));
    const names = this.vpps.map(({ spec }) => spec.name);
    const totals = { ...this.batteryTotals(), energyCostJpy: this.cost?.costJpy ?? null };
    const kpis = computeKpis(this.spec, this.awards.figures, sites, totals);
    if (this.options.rows === false) this.awards.figures.retire();
    return {
      startMs,
      endMs,
      kpis,
      awards,
      sites,
      timelines: this.timeline?.vppTimelines(names) ?? [],
      soc: this.timeline?.socTimeline() ?? { atMs: new Float64Array(0), batteries: [] },
      outages: this.ledger.outages,
      reductions: this.reductions?.finish(endMs) ?? [],
      warnings: plannedOutageWarnings(this.spec),
    };
  }

  private batteryTotals(): { cellDischargeKwh: number; ratedCapKwh: number } {
    let cellDischargeKwh = 0;
    let ratedCapKwh = 0;
    for (const meter of this.ledger.meters)
      for (const { unit, cellOutKwh } of meter.batteries) {
        cellDischargeKwh += cellOutKwh / unit.spec.dischargeEfficiency;
        ratedCapKwh += unit.spec.ratedCapKwh;
      }
    return { cellDischargeKwh, ratedCapKwh };
  }
}

/** What nobody carries now of a request's delta, and of its width where it has one. */
function uncoveredText({ hasDelta, fcrTenths, uncoveredTenths, fcrUncoveredTenths }: Instruction): string {
  const width = `${fcrUncoveredTenths / 10} kW`;
  if (!hasDelta) return `${width} uncovered`;
  return `${uncoveredTenths / 10} kW uncovered${fcrTenths === null ? "" : `, ${width} of its width`}`;
}
