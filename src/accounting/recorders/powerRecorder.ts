import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { curveValue } from "../../device/curve/curve.ts";
import { GridFrequency } from "../../device/frequency/gridFrequency.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import { newSegment } from "../../site/components/segment.ts";
import type { Site } from "../../site/site.ts";
import { BLOCK_ROWS, BlockBuffer, instantColumn, integerColumn, nameColumn, thousandthsColumn } from "./blockBuffer.ts";
import type { BlockSink } from "./tableBlock.ts";

/** What a site's frequency response shows. */
interface FcrColumns {
  readonly isActive: ReturnType<typeof integerColumn>;
  readonly responseKw: ReturnType<typeof thousandthsColumn>;
  readonly frequencyHz: ReturnType<typeof thousandthsColumn>;
}

/**
 * Power of every site at even instants from the start: the right-continuous value after everything due there.
 *
 * Columns of frequency response are there where a site is capable of it, and empty for those that are not.
 */
export class PowerRecorder {
  private readonly sites: readonly Site[];
  private readonly intervalMs: number;
  private readonly endMs: EpochMs;
  private dueMs: EpochMs;
  private readonly buffer: BlockBuffer;
  private readonly segment = newSegment();
  private readonly atMs = instantColumn("timestamp");
  private readonly site;
  private readonly status = integerColumn("status");
  private readonly currentKw = thousandthsColumn("current_kw");
  private readonly baselineKw = thousandthsColumn("baseline_kw");
  private readonly deltaKw = thousandthsColumn("delta_kw");
  private readonly dispatchedKw = thousandthsColumn("dispatched_delta_kw");
  private readonly socPct = thousandthsColumn("soc");
  private readonly outputLimitPct = thousandthsColumn("output_control_limit");
  private readonly irradianceWm2 = thousandthsColumn("irradiance_w_m2");
  private readonly isDrActive = integerColumn("dr_active");
  private readonly drTargetKw = thousandthsColumn("dr_target_reduction_kw");
  private readonly drActualKw = thousandthsColumn("dr_actual_reduction_kw");
  /** `null` where no site could respond. */
  private readonly fcr: FcrColumns | null;
  private readonly frequency: GridFrequency;

  constructor(sites: readonly Site[], spec: WorldSpec, intervalMs: number, sink: BlockSink) {
    this.sites = sites;
    this.dueMs = spec.startMs;
    this.endMs = spec.endMs;
    // Its own: what is drawn here must not depend on who else asks for it.
    this.frequency = new GridFrequency(spec.frequencyHz, { seed: spec.seed, startMs: spec.streamsFromMs });
    this.fcr = sites.some(isFcrCapable)
      ? {
          isActive: integerColumn("fcr_active"),
          responseKw: thousandthsColumn("fcr_response_kw"),
          frequencyHz: thousandthsColumn("actual_frequency"),
        }
      : null;
    this.intervalMs = intervalMs;
    const site = nameColumn(
      "site",
      sites.map(({ spec }) => spec.name),
    );
    this.site = site;
    const columns = [
      this.atMs,
      site,
      this.status,
      this.currentKw,
      this.baselineKw,
      this.deltaKw,
      this.dispatchedKw,
      this.socPct,
    ];
    const fcr = this.fcr === null ? [] : [this.fcr.isActive, this.fcr.responseKw, this.fcr.frequencyHz];
    const more = [this.outputLimitPct, this.irradianceWm2, this.isDrActive, this.drTargetKw, this.drActualKw, ...fcr];
    this.buffer = new BlockBuffer(sink, [...columns, ...more], BLOCK_ROWS);
  }

  /** Writes every sample before an instant up to which the present laws hold. */
  recordBefore(untilMs: EpochMs): void {
    while (this.dueMs < untilMs && this.dueMs < this.endMs) {
      for (const site of this.sites) this.sample(site, this.dueMs);
      this.dueMs += this.intervalMs;
    }
  }

  finish(): void {
    this.buffer.flush();
  }

  private sample(site: Site, atMs: EpochMs): void {
    const row = this.buffer.nextRow();
    const { resource: unit } = site;
    const stretch = this.segment;
    unit.segmentAt(atMs, stretch);
    const kw = curveValue(stretch.kw, stretch.kwPerMs, stretch.kwPerMs2, stretch.ratePerMs, atMs - stretch.originMs);
    const baselineKw = site.reportedBaselineKw(atMs);
    const isIn = site.isInService;
    const toldKw = site.dispatchedDeltaKw;
    this.atMs.values[row] = atMs;
    this.site.values[row] = site.index;
    this.status.values[row] = isIn ? 0 : 9;
    this.currentKw.values[row] = isIn ? toThousandths(kw) : Number.NaN;
    this.baselineKw.values[row] = toThousandths(baselineKw);
    this.deltaKw.values[row] = isIn ? toThousandths(kw) - toThousandths(baselineKw) : Number.NaN;
    this.dispatchedKw.values[row] = isIn && toldKw !== null ? toThousandths(toldKw) : Number.NaN;
    const socPct = unit.socPctAt(atMs);
    this.socPct.values[row] = socPct === null ? Number.NaN : toThousandths(socPct);
    this.outputLimitPct.values[row] =
      !unit.hasOutputControl || site.outputLimit >= 1 ? Number.NaN : toThousandths(100 * site.outputLimit);
    const irradianceWm2 = unit.irradiance;
    this.irradianceWm2.values[row] = irradianceWm2 === null ? Number.NaN : toThousandths(irradianceWm2.valueAt(atMs));
    this.sampleReduction(site, row, kw, baselineKw);
    if (this.fcr !== null) this.sampleFcr(this.fcr, site, row, atMs);
  }

  private sampleFcr(
    { isActive: active, responseKw, frequencyHz }: FcrColumns,
    site: Site,
    row: number,
    atMs: EpochMs,
  ): void {
    const capable = isFcrCapable(site);
    let widthKw = 0;
    if (capable && site.isInService) for (const { fcrCapacityKw: fcrKw } of site.activeOrders) widthKw += fcrKw;
    active.values[row] = capable ? Number(widthKw > 0 && site.isResponding) : Number.NaN;
    responseKw.values[row] = widthKw > 0 ? toThousandths(widthKw) : Number.NaN;
    frequencyHz.values[row] = capable ? toThousandths(this.frequency.hzAt(atMs)) : Number.NaN;
  }

  private sampleReduction(site: Site, row: number, kw: number, baselineKw: number): void {
    const { resource: unit } = site;
    const isConsumer = unit.hasLoad;
    const targetKw = unit.composite === null ? -(site.dispatchedDeltaKw ?? 0) : unit.composite.reductionKw;
    const reducing = isConsumer && site.reduction.reducing && site.isInService;
    this.isDrActive.values[row] = isConsumer ? Number(reducing) : Number.NaN;
    this.drTargetKw.values[row] = reducing ? toThousandths(targetKw) : Number.NaN;
    this.drActualKw.values[row] = reducing ? toThousandths(baselineKw - kw) : Number.NaN;
  }
}

const isFcrCapable = ({ spec }: Site): boolean => spec.capability.fcrCapable;
