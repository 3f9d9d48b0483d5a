import { toThousandths } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import { curveValue } from "../device/curve.ts";
import type { Site } from "../site/site.ts";
import { newStretch } from "../site/stretch.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants, integers, nameColumn, thousandths } from "./blockBuffer.ts";

/** Power of every site at even instants from the start: the right-continuous value after everything due there. */
export class PowerRecorder {
  readonly #sites: readonly Site[];
  readonly #intervalMs: number;
  readonly #endMs: EpochMs;
  #dueMs: EpochMs;
  readonly #buffer: BlockBuffer;
  readonly #stretch = newStretch();
  readonly #at = instants("timestamp");
  readonly #site;
  readonly #status = integers("status");
  readonly #currentKw = thousandths("current_kw");
  readonly #baselineKw = thousandths("baseline_kw");
  readonly #deltaKw = thousandths("delta_kw");
  readonly #dispatchedKw = thousandths("dispatched_delta_kw");
  readonly #soc = thousandths("soc");
  readonly #limit = thousandths("output_control_limit");
  readonly #irradiance = thousandths("irradiance_w_m2");
  readonly #drActive = integers("dr_active");
  readonly #drTarget = thousandths("dr_target_reduction_kw");
  readonly #drActual = thousandths("dr_actual_reduction_kw");

  constructor(sites: readonly Site[], startMs: EpochMs, endMs: EpochMs, intervalMs: number, sink: BlockSink) {
    this.#sites = sites;
    this.#dueMs = startMs;
    this.#endMs = endMs;
    this.#intervalMs = intervalMs;
    const site = nameColumn(
      "site",
      sites.map(({ spec }) => spec.name),
    );
    this.#site = site;
    const columns = [
      this.#at,
      site,
      this.#status,
      this.#currentKw,
      this.#baselineKw,
      this.#deltaKw,
      this.#dispatchedKw,
      this.#soc,
    ];
    const more = [this.#limit, this.#irradiance, this.#drActive, this.#drTarget, this.#drActual];
    this.#buffer = new BlockBuffer(sink, [...columns, ...more], BLOCK_ROWS);
  }

  /** Writes every sample before an instant up to which the present laws hold. */
  recordBefore(untilMs: EpochMs): void {
    while (this.#dueMs < untilMs && this.#dueMs < this.#endMs) {
      for (const site of this.#sites) this.#sample(site, this.#dueMs);
      this.#dueMs += this.#intervalMs;
    }
  }

  finish(): void {
    this.#buffer.flush();
  }

  #sample(site: Site, atMs: EpochMs): void {
    const row = this.#buffer.nextRow();
    const { unit } = site;
    const stretch = this.#stretch;
    unit.stretchAt(atMs, stretch);
    const kw = curveValue(stretch.kw, stretch.kwPerMs, stretch.kwPerMs2, stretch.ratePerMs, atMs - stretch.originMs);
    const baselineKw = site.reportedBaselineKw(atMs);
    const isIn = site.inService;
    const toldKw = site.dispatchedDeltaKw;
    this.#at.values[row] = atMs;
    this.#site.values[row] = site.index;
    this.#status.values[row] = isIn ? 0 : 9;
    this.#currentKw.values[row] = isIn ? toThousandths(kw) : Number.NaN;
    this.#baselineKw.values[row] = toThousandths(baselineKw);
    this.#deltaKw.values[row] = isIn ? toThousandths(kw) - toThousandths(baselineKw) : Number.NaN;
    this.#dispatchedKw.values[row] = isIn && toldKw !== null ? toThousandths(toldKw) : Number.NaN;
    this.#soc.values[row] =
      unit.kind === "battery" ? toThousandths((100 * unit.law.storedKwhAt(atMs)) / unit.spec.ratedCapKwh) : Number.NaN;
    this.#limit.values[row] =
      unit.kind === "consumer" || site.outputLimit >= 1 ? Number.NaN : toThousandths(100 * site.outputLimit);
    this.#irradiance.values[row] =
      unit.kind === "generator" && unit.spec.irradianceWm2 !== null
        ? toThousandths(unit.spec.irradianceWm2.valueAt(atMs))
        : Number.NaN;
    this.#sampleReduction(site, row, kw, baselineKw);
  }

  #sampleReduction(site: Site, row: number, kw: number, baselineKw: number): void {
    const isConsumer = site.unit.kind === "consumer";
    const reducing = isConsumer && site.reduction.reducing && site.inService;
    this.#drActive.values[row] = isConsumer ? Number(reducing) : Number.NaN;
    this.#drTarget.values[row] = reducing ? toThousandths(-(site.dispatchedDeltaKw ?? 0)) : Number.NaN;
    this.#drActual.values[row] = reducing ? toThousandths(baselineKw - kw) : Number.NaN;
  }
}
