import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Observer } from "../../engine/simulation/observer.ts";
import { ObserverList } from "../../engine/simulation/observerList.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";
import type { SettledFigures } from "../kpis/kpi.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import { SiteLedger } from "../meters/siteLedger.ts";
import { type BatteryThroughput, type PartRecord, recordOfParts } from "../recordOfParts.ts";
import type { RunRecord } from "../runRecord.ts";
import type { AwardBeforeSession, TotalsBeforeSession } from "../sessionShare.ts";
import { AwardLedger } from "../settlement/awardLedger.ts";
import { type AwardRow, singleCause } from "../settlement/awardRows.ts";
import type { AwardPieceListener } from "../settlement/awardSettlement.ts";
import { CAUSE_INDEX } from "../settlement/causes.ts";
import { EnergyCost } from "../settlement/energyCost.ts";
import { TotalsUntil } from "../settlement/totalsUntil.ts";
import { BaselineConflicts } from "./baselineConflicts.ts";
import { DispatchRecorder } from "./dispatchRecorder.ts";
import { EnergyRecorder } from "./energyRecorder.ts";
import { binsOf, equalBins } from "./envelope.ts";
import { RunEventRecorder } from "./eventLog.ts";
import { kindTableRows } from "./kindTables.ts";
import { PowerRecorder } from "./powerRecorder.ts";
import { ReductionRecorder } from "./reductionRecorder.ts";
import { SiteCurveRecorder } from "./siteCurveRecorder.ts";
import type { BlockSink } from "./tableBlock.ts";
import { Timeline } from "./timeline.ts";
import { type WorldShape, worldShape } from "./worldShape.ts";

/**
 * Receives what a market settles: pieces of awards, and when they are registered, dispatched, deleted, refused or ended. The run reads
 * nothing from it but the end of its current slot and the figures.
 */
export interface SettlementSink
  extends AwardPieceListener,
    Pick<Observer, "onRegistered" | "onRefused" | "onDeleted" | "onExecuted" | "onRedispatched" | "onEnded"> {
  /** Called once, before any other method. */
  attach(sites: readonly Site[], vpps: readonly Vpp[], meters: readonly SiteMeter[]): void;
  /** End of the current slot; `Infinity` after the last one. */
  readonly dueMs: EpochMs;
  /** Closes every slot that ends at or before an instant up to which the current trajectories hold. */
  recordThrough(atMs: EpochMs): void;
  /** All trajectories hold from the last call until `toMs`. */
  sampleThrough(toMs: EpochMs): void;
  /** Settles the run; once, at its end. */
  settle(): SettledFigures;
}

/** What is recorded of a run; an option that is off costs nothing. */
export interface RecordingOptions {
  /** Length of an energy record. */
  readonly intervalMs: number;
  /** Spacing of power samples; needed with a `power` sink. */
  readonly powerIntervalMs?: number;
  readonly energy?: BlockSink;
  readonly vppEnergy?: BlockSink;
  /** Energy paths of the components of sites with several of them. */
  readonly components?: BlockSink;
  readonly power?: BlockSink;
  readonly dispatch?: BlockSink;
  readonly events?: BlockSink;
  /** Whether timelines for charts are recorded. Default true. */
  readonly timelines?: boolean;
  /** A midnight of the zone of the readers, from which bins of charts count. Default: one of UTC. */
  readonly midnightMs?: EpochMs;
  /** Whether the record has the events of the run in order. Default false. */
  readonly chronology?: boolean;
  /** Whether shortfall is attributed to causes and members; key figures do not need it. Default true. */
  readonly causes?: boolean;
  /** Receives what a market settles. */
  readonly settlement?: SettlementSink;
  /** Start of a session within the run: the totals of awards until then are recorded by themselves. */
  readonly sessionOpenedMs?: EpochMs;
  /** Of the whole world where the run is of a part. Default: that of its world. */
  readonly shape?: WorldShape;
  /** Whether rows of awards, reductions and battery cycles are recorded; key figures do not need them. Default true. */
  readonly rows?: boolean;
}

/** Whether tables are written during the run. */
export const hasTableSinks = ({ energy, vppEnergy, components, power, dispatch, events }: RecordingOptions): boolean =>
  [energy, vppEnergy, components, power, dispatch, events].some((sink) => sink !== undefined);

/**
 * Collects the events of a run into tables, causes and key figures. It must be attached to a world before time moves.
 */
export class RunRecorder extends ObserverList {
  private readonly spec: WorldSpec;
  private readonly options: RecordingOptions;
  private sites: readonly Site[] = [];
  private vpps: readonly Vpp[] = [];
  private siteLedger!: SiteLedger;
  private reductionRecorder: ReductionRecorder | null = null;
  private awardLedger!: AwardLedger;
  private energyRecorder: EnergyRecorder | null = null;
  private energyCost: EnergyCost | null = null;
  private settlement: SettlementSink | null = null;
  private beforeSession: TotalsUntil | null = null;
  /** Of the awards that are executed when a session opens: their shortfall by cause until then. */
  private readonly causesBeforeSession = new Map<string, Float64Array>();
  private powerRecorder: PowerRecorder | null = null;
  private dispatchRecorder: DispatchRecorder | null = null;
  private runEvents: RunEventRecorder | null = null;
  private timeline: Timeline | null = null;
  private siteCurveRecorder: SiteCurveRecorder | null = null;
  private baselineConflicts: BaselineConflicts | null = null;
  /** Whether each trajectory is read at its end, besides the meters. */
  private readsTrajectories = false;

  constructor(spec: WorldSpec, options: RecordingOptions) {
    super();
    this.spec = spec;
    this.options = options;
  }

  override onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void {
    const { startMs, endMs } = this.spec;
    const options = this.options;
    const shape = options.shape ?? worldShape(this.spec);
    this.sites = sites;
    this.vpps = vpps;
    const hasRows = options.rows !== false;
    const countsBaselines = hasRows || hasTableSinks(options) || options.settlement !== undefined;
    this.siteLedger = new SiteLedger(sites, startMs, { countsCycles: hasRows, countsBaselines });
    if (hasRows) this.baselineConflicts = new BaselineConflicts(sites, vpps);
    if (hasRows) this.reductionRecorder = new ReductionRecorder(this.siteLedger.meters);
    if (options.timelines !== false) {
      const midnightMs = options.midnightMs ?? 0;
      this.timeline = new Timeline(this.spec, vpps.length, shape.vpps, midnightMs);
      this.siteCurveRecorder = new SiteCurveRecorder(sites, this.spec, shape.sites, midnightMs);
    }
    const ledgerOptions = { causes: options.causes !== false, rows: hasRows };
    this.settlement = options.settlement ?? null;
    this.settlement?.attach(sites, vpps, this.siteLedger.meters);
    if (options.sessionOpenedMs !== undefined) this.beforeSession = new TotalsUntil(options.sessionOpenedMs);
    const awards = [this.settlement, this.beforeSession].filter((listener) => listener !== null);
    this.awardLedger = new AwardLedger(this.spec, sites, ledgerOptions, { delivery: this.timeline, awards });
    if (options.energy !== undefined || options.vppEnergy !== undefined || options.components !== undefined)
      this.energyRecorder = new EnergyRecorder({
        meters: this.siteLedger.meters,
        vpps,
        uncoveredKwh: (vpp, atMs) => this.awardLedger.uncoveredKwhUntil(vpp, atMs),
        startMs,
        endMs,
        intervalMs: options.intervalMs,
        fields: shape.energyFields,
        sites: options.energy ?? null,
        vppSink: options.vppEnergy ?? null,
        partsSink: options.components ?? null,
      });
    const { energyPriceJpyPerKwh } = this.spec;
    if (energyPriceJpyPerKwh !== null)
      this.energyCost = new EnergyCost(
        this.siteLedger.meters,
        energyPriceJpyPerKwh,
        this.spec,
        options.timelines === false ? null : equalBins(this.spec, MS_PER_HOUR, options.midnightMs ?? 0),
      );
    if (options.power !== undefined && options.powerIntervalMs !== undefined)
      this.powerRecorder = new PowerRecorder(sites, this.spec, options.powerIntervalMs, shape, options.power);
    if (options.dispatch !== undefined) this.dispatchRecorder = new DispatchRecorder(sites, shape, options.dispatch);
    if (options.events !== undefined || options.chronology === true) this.runEvents = new RunEventRecorder();
    this.observers = [
      this.awardLedger,
      this.settlement,
      this.baselineConflicts,
      this.runEvents,
      this.dispatchRecorder,
    ].filter((observer) => observer !== null);
    this.readsTrajectories =
      this.runEvents !== null || this.siteCurveRecorder !== null || this.reductionRecorder !== null;
  }

  override onSiteChange(site: Site, atMs: EpochMs): void {
    if (!this.readsTrajectories) return this.siteLedger.close(site, atMs);
    const fromMs = this.siteLedger.trajectoryStartMs(site);
    this.runEvents?.log.addTrajectoryEvents(site, fromMs, atMs);
    this.siteCurveRecorder?.recordTrajectory(site, fromMs, atMs);
    this.siteLedger.close(site, atMs);
    this.reductionRecorder?.recordTrajectoryEnd(site, fromMs, atMs);
  }

  override onInstructionChange(instruction: Instruction, atMs: EpochMs): void {
    this.recordCausesBeforeSession(instruction, atMs);
    this.awardLedger.settle(instruction, atMs);
  }

  /** Call before the account of a running instruction is settled to an instant: the trajectories until then are still known. */
  private recordCausesBeforeSession({ awardId, startMs }: Instruction, atMs: EpochMs): void {
    const openedMs = this.beforeSession?.untilMs ?? Number.POSITIVE_INFINITY;
    if (atMs < openedMs || openedMs <= startMs || this.causesBeforeSession.has(awardId)) return;
    const row = this.awardLedger.rowAt(awardId, openedMs);
    if (row !== null) this.causesBeforeSession.set(awardId, Float64Array.from(row.shortfallByCauseKwh));
  }

  override onTrajectoryInterval(_fromMs: EpochMs, toMs: EpochMs): void {
    this.readMeters(toMs);
    this.settlement?.sampleThrough(toMs);
    this.powerRecorder?.recordBefore(toMs);
  }

  /** Meters only move forward, so that the readers are called in order of time. */
  private readMeters(untilMs: EpochMs): void {
    for (;;) {
      const energyMs = this.energyRecorder?.dueMs ?? Number.POSITIVE_INFINITY;
      const nextMs = Math.min(
        energyMs,
        this.energyCost?.dueMs ?? Number.POSITIVE_INFINITY,
        this.settlement?.dueMs ?? Number.POSITIVE_INFINITY,
      );
      if (untilMs < nextMs || nextMs === Number.POSITIVE_INFINITY) return;
      this.energyRecorder?.recordThrough(nextMs);
      this.energyCost?.recordThrough(nextMs);
      this.settlement?.recordThrough(nextMs);
    }
  }

  /** Passes all rows up to now to the tables, except those of the events, which are sorted at the end. */
  flushTables(): void {
    this.energyRecorder?.flush();
    this.powerRecorder?.flush();
    this.dispatchRecorder?.flush();
  }

  /** Closes all accounts at the end of the run, to which the world has been advanced. */
  close(): PartRecord {
    const { endMs } = this.spec;
    for (const { instruction } of this.awardLedger.runningAccounts) this.recordCausesBeforeSession(instruction, endMs);
    const awards = this.awardLedger.finish(endMs);
    for (const site of this.sites) {
      this.onSiteChange(site, endMs);
      site.advance(endMs);
    }
    this.flushTables();
    if (this.options.events !== undefined) this.runEvents?.log.writeTo(this.options.events);
    const vppOf = new Map<number, string>();
    for (const { name, members } of this.spec.vpps) for (const { site } of members) vppOf.set(site, name);
    for (const event of this.spec.events)
      if (event.kind === "add_member" && !vppOf.has(event.site)) vppOf.set(event.site, this.spec.vpps[event.vpp].name);
    const names = this.vpps.map(({ spec }) => spec.name);
    return {
      bins: binsOf(this.spec, this.options.midnightMs ?? 0),
      figures: this.awardLedger.figures.values,
      awards,
      sites: this.sites.map((site) => this.siteLedger.siteRow(site, endMs, vppOf.get(site.index) ?? null)),
      batteries: this.batteryThroughputs(),
      siteMoney: this.awardLedger.siteMoney.values,
      costJpyBySite: this.energyCost?.costJpyBySite ?? null,
      traded: this.energyCost?.traded ?? null,
      importJpyBySite: this.energyCost?.importJpyBySite ?? null,
      timelines: this.timeline?.vppTimelines(names) ?? [],
      soc: this.siteCurveRecorder?.socTimeline(this.sites) ?? { batteries: [] },
      siteCurves: this.siteCurveRecorder?.siteCurves(this.sites) ?? [],
      outages: this.siteLedger.outages,
      events: this.options.chronology === true ? (this.runEvents?.log.sorted() ?? []) : [],
      siteShortfalls: this.awardLedger.shortfallsBySite(),
      outputControls: this.siteCurveRecorder?.outputControlSpans() ?? [],
      reductions: this.reductionRecorder?.finish(endMs) ?? [],
      componentRows: kindTableRows(this.sites),
      baselineConflicts: this.baselineConflicts?.found ?? null,
      settled: this.settlement?.settle() ?? null,
      beforeSession: this.beforeSession === null ? null : this.totalsBefore(this.beforeSession, awards),
    };
  }

  private totalsBefore(totals: TotalsUntil, awards: readonly AwardRow[]): TotalsBeforeSession {
    const { untilMs } = totals;
    // A refused award is never executed, and all of its power is missing.
    const totalsOf = ({ awardId, state }: AwardRow, index: number): AwardBeforeSession => {
      if (state !== "refused")
        return { ...totals.of(awardId), byCauseKwh: this.causesBeforeSession.get(awardId) ?? null };
      const refused = this.awardLedger.refusedTotals(index, untilMs);
      return { ...refused, byCauseKwh: singleCause(CAUSE_INDEX.refused, refused.shortfallKwh) };
    };
    return { openedMs: untilMs, awards: awards.map(totalsOf) };
  }

  /** As `close`, as the record of the whole run. */
  finish(): RunRecord {
    const { figures } = this.awardLedger;
    const record = recordOfParts(this.spec, [{ part: null, record: this.close() }], figures);
    if (this.options.rows === false) figures.retire();
    return record;
  }

  private batteryThroughputs(): BatteryThroughput[] {
    return this.siteLedger.meters.flatMap(({ site, batteries }) =>
      batteries.map(({ component, cellOutKwh }) => ({
        site: site.index,
        dischargedKwh: cellOutKwh,
        cellDischargeKwh: cellOutKwh / component.spec.dischargeEfficiency,
        ratedCapKwh: component.ratedSpec.ratedCapKwh,
        ratedKw: Math.max(component.ratedSpec.importMaxKw, component.ratedSpec.exportMaxKw),
      })),
    );
  }
}
