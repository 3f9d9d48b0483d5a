import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { GridFrequency } from "../../engine/device/frequency/gridFrequency.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Site } from "../../engine/site/site.ts";
import {
  BLOCK_ROWS,
  BlockBuffer,
  type BlockSink,
  instantColumn,
  integerColumn,
  nameColumn,
  thousandthsColumn,
} from "./tableBlock.ts";
import type { WorldShape } from "./worldShape.ts";

const ACTIVITY = ["inactive", "active"] as const;

/** Columns of a site's frequency response. */
interface FcrColumns {
  readonly isActive: ReturnType<typeof integerColumn>;
  readonly responseKw: ReturnType<typeof thousandthsColumn>;
  readonly frequencyHz: ReturnType<typeof thousandthsColumn>;
}

/**
 * Power of every site at regular instants from the start of the run: the right-continuous value after all events of the
 * instant.
 *
 * The columns of frequency response exist if any site of the world is capable of it, and are empty for the other sites.
 */
export class PowerRecorder {
  private readonly sites: readonly Site[];
  private readonly intervalMs: number;
  private readonly endMs: EpochMs;
  private dueMs: EpochMs;
  private readonly buffer: BlockBuffer;
  private readonly atMs = instantColumn("timestamp");
  private readonly site;
  private readonly status = integerColumn("status");
  private readonly statusText = nameColumn("status_text", ["in service", "out of service"]);
  private readonly currentKw = thousandthsColumn("current_kw");
  private readonly baselineKw = thousandthsColumn("baseline_kw");
  private readonly deltaKw = thousandthsColumn("delta_kw");
  private readonly dispatchedKw = thousandthsColumn("dispatched_delta_kw");
  private readonly socPct = thousandthsColumn("soc_pct");
  private readonly outputLimitPct = thousandthsColumn("output_control_limit");
  private readonly irradianceWm2 = thousandthsColumn("irradiance_w_m2");
  private readonly isDrActive = integerColumn("dr_active", ACTIVITY);
  private readonly drTargetKw = thousandthsColumn("dr_target_reduction_kw");
  private readonly drActualKw = thousandthsColumn("dr_actual_reduction_kw");
  /** `null` where no site is capable of frequency response. */
  private readonly fcr: FcrColumns | null;
  private readonly frequency: GridFrequency;

  constructor(sites: readonly Site[], spec: WorldSpec, intervalMs: number, { hasFcr }: WorldShape, sink: BlockSink) {
    this.sites = sites;
    this.dueMs = spec.startMs;
    this.endMs = spec.endMs;
    // A generator of its own, so that its draws do not depend on other readers of the frequency.
    this.frequency = new GridFrequency(spec.frequencyHz, { seed: spec.seed, startMs: spec.streamsFromMs });
    this.fcr = hasFcr
      ? {
          isActive: integerColumn("fcr_active", ACTIVITY),
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
      this.statusText,
      this.currentKw,
      this.baselineKw,
      this.deltaKw,
      this.dispatchedKw,
      this.socPct,
    ];
    const fcr = this.fcr === null ? [] : [this.fcr.isActive, this.fcr.responseKw, this.fcr.frequencyHz];
    const laterColumns = [
      this.outputLimitPct,
      this.irradianceWm2,
      this.isDrActive,
      this.drTargetKw,
      this.drActualKw,
      ...fcr,
    ];
    this.buffer = new BlockBuffer(sink, [...columns, ...laterColumns], BLOCK_ROWS);
  }

  /** Writes every sample before an instant up to which the current trajectories hold. */
  recordBefore(untilMs: EpochMs): void {
    while (this.dueMs < untilMs && this.dueMs < this.endMs) {
      for (const site of this.sites) this.sample(site, this.dueMs);
      this.dueMs += this.intervalMs;
    }
  }

  flush(): void {
    this.buffer.flush();
  }

  private sample(site: Site, atMs: EpochMs): void {
    const row = this.buffer.nextRow();
    const { resource } = site;
    const kw = site.kwAt(atMs);
    const baselineKw = site.reportedBaselineKw(atMs);
    const isInService = site.isInService;
    const dispatchedDeltaKw = site.dispatchedDeltaKw;
    this.atMs.values[row] = atMs;
    this.site.values[row] = site.index;
    this.status.values[row] = isInService ? 0 : 9;
    this.statusText.values[row] = isInService ? 0 : 1;
    this.currentKw.values[row] = isInService ? toThousandths(kw) : Number.NaN;
    this.baselineKw.values[row] = toThousandths(baselineKw);
    this.deltaKw.values[row] = isInService ? toThousandths(kw) - toThousandths(baselineKw) : Number.NaN;
    this.dispatchedKw.values[row] =
      isInService && dispatchedDeltaKw !== null ? toThousandths(dispatchedDeltaKw) : Number.NaN;
    const socPct = resource.socPctAt(atMs);
    this.socPct.values[row] = socPct === null ? Number.NaN : toThousandths(socPct);
    this.outputLimitPct.values[row] =
      !resource.hasOutputControl || site.outputLimitShare >= 1
        ? Number.NaN
        : toThousandths(100 * site.outputLimitShare);
    const irradianceWm2 = resource.irradiance;
    this.irradianceWm2.values[row] = irradianceWm2 === null ? Number.NaN : toThousandths(irradianceWm2.valueAt(atMs));
    this.sampleReduction(site, row, kw, baselineKw);
    if (this.fcr !== null) this.sampleFcr(this.fcr, site, row, atMs);
  }

  private sampleFcr({ isActive, responseKw, frequencyHz }: FcrColumns, site: Site, row: number, atMs: EpochMs): void {
    const isCapable = isFcrCapable(site);
    let fcrCapacityKw = 0;
    if (isCapable && site.isInService) for (const order of site.activeOrders) fcrCapacityKw += order.fcrCapacityKw;
    isActive.values[row] = isCapable ? Number(fcrCapacityKw > 0 && site.isResponding) : Number.NaN;
    responseKw.values[row] = fcrCapacityKw > 0 ? toThousandths(fcrCapacityKw) : Number.NaN;
    frequencyHz.values[row] = isCapable ? toThousandths(this.frequency.hzAt(atMs)) : Number.NaN;
  }

  private sampleReduction(site: Site, row: number, kw: number, baselineKw: number): void {
    const { resource } = site;
    const isConsumer = resource.hasLoad;
    const targetKw = resource.composite === null ? -(site.dispatchedDeltaKw ?? 0) : resource.composite.reductionKw;
    const isReducing = isConsumer && site.reduction.reducing && site.isInService;
    this.isDrActive.values[row] = isConsumer ? Number(isReducing) : Number.NaN;
    this.drTargetKw.values[row] = isReducing ? toThousandths(targetKw) : Number.NaN;
    this.drActualKw.values[row] = isReducing ? toThousandths(baselineKw - kw) : Number.NaN;
  }
}

const isFcrCapable = ({ spec }: Site): boolean => spec.capability.fcrCapable;
