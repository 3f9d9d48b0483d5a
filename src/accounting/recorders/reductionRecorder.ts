import { Copyable } from "../../base/copyState.ts";
import { toThousandths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Load } from "../../engine/site/components/capabilities.ts";
import { newSegment } from "../../engine/site/components/segment.ts";
import { REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import type { ReductionRow } from "../runRecord.ts";

/** A row that is still being filled. */
type ReductionDraft = { -readonly [Field in keyof ReductionRow]: ReductionRow[Field] };

/** The load reductions of all sites, evaluated at the end of each trajectory. */
export class ReductionRecorder extends Copyable {
  /** One per site; `null` for a site without load. */
  private readonly bySite: readonly (SiteReductions | null)[];

  constructor(meters: readonly SiteMeter[]) {
    super();
    this.bySite = meters.map((meter) => {
      const consumers = meter.site.resource.loads();
      return consumers.length === 0 ? null : new SiteReductions(meter, consumers);
    });
  }

  /**
   * Records a trajectory that ends at `toMs`. The meter must have been read to `toMs`, and the site must still hold the
   * state of the trajectory.
   */
  recordTrajectoryEnd(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const reductions = this.bySite[site.index];
    if (reductions !== null && fromMs < toMs) reductions.addInterval(fromMs, toMs);
  }

  /** @param endMs  end of the run, which ends the reductions still active */
  finish(endMs: EpochMs): readonly ReductionRow[] {
    const rows = this.bySite.flatMap((reductions, order) =>
      (reductions?.finish(endMs) ?? []).map((row) => ({ row, order })),
    );
    return rows.sort((a, b) => a.row.startMs - b.row.startMs || a.order - b.order).map(({ row }) => row);
  }
}

/** Dispatched load reduction of a site in kW; 0 without one. */
export function reductionKwOf({ resource, dispatchedDeltaKw }: Site): number {
  return resource.composite === null ? Math.max(0, -(dispatchedDeltaKw ?? 0)) : resource.composite.reductionKw;
}

class SiteReductions extends Copyable {
  private readonly meter: SiteMeter;
  private readonly consumers: readonly Load[];
  private readonly rows: ReductionDraft[] = [];
  private openRow: ReductionDraft | null = null;
  private sku: Sku | null = null;
  /** Registers at the start of the current trajectory. */
  private baselineKwh = 0;
  private netImportKwh = 0;
  private deliveredThousandths = 0;
  private readonly segmentWithRebound = newSegment();
  private readonly segmentWithoutRebound = newSegment();

  constructor(meter: SiteMeter, consumers: readonly Load[]) {
    super();
    this.meter = meter;
    this.consumers = consumers;
  }

  addInterval(fromMs: EpochMs, toMs: EpochMs): void {
    const { site } = this.meter;
    const { reduction } = site;
    if (this.openRow !== null && !(reduction.reducing && reduction.sku === this.sku)) {
      // Another product takes over at the start of this trajectory. Otherwise the site has the end, which an outage
      // moves back.
      this.openRow.endMs = reduction.reducing ? fromMs : reduction.endedMs;
      this.openRow = null;
    }
    if (reduction.reducing) this.openRow ??= this.beginRow(fromMs);
    this.addEnergy(toMs);
    for (const consumer of this.consumers) if (consumer.rebounds.length > 0) this.addRebounds(consumer, fromMs, toMs);
  }

  private beginRow(startMs: EpochMs): ReductionDraft {
    const { site } = this.meter;
    const row = { site: site.spec.name, startMs, endMs: Number.NaN, ...EMPTY_TOTALS };
    this.sku = site.reduction.sku;
    this.rows.push(row);
    return row;
  }

  /** Adds the energy of the trajectory, if a reduction was active and the site in service. */
  private addEnergy(toMs: EpochMs): void {
    const { site } = this.meter;
    const registers = this.meter.read(toMs);
    const baselineKwh = registers[REGISTER.baseline];
    const netKwh = registers[REGISTER.import] - registers[REGISTER.export];
    const thousandths = toThousandths(registers[REGISTER.drDelivered]);
    const row = this.openRow;
    if (row !== null && site.isInService) {
      row.requestedKw = Math.max(row.requestedKw, reductionKwOf(site));
      row.baselineKwh += baselineKwh - this.baselineKwh;
      row.actualKwh += netKwh - this.netImportKwh;
      // Differences of the rounded register, like the site's own figure, so that the printed rows sum to it.
      row.deliveredKwh = (toThousandths(row.deliveredKwh) + thousandths - this.deliveredThousandths) / 1000;
    }
    this.baselineKwh = baselineKwh;
    this.netImportKwh = netKwh;
    this.deliveredThousandths = thousandths;
  }

  /** Rebounds draw together; where the maximum demand cuts them, each loses in proportion. */
  private addRebounds(consumer: Load, fromMs: EpochMs, toMs: EpochMs): void {
    const segment = this.segmentWithRebound;
    const segmentWithoutRebound = this.segmentWithoutRebound;
    let atMs = fromMs;
    while (atMs < toMs) {
      consumer.segmentWithoutResponseAt(atMs, segment);
      consumer.segmentWithoutReboundAt(atMs, segmentWithoutRebound);
      const endMs = Math.min(toMs, segment.endMs, segmentWithoutRebound.endMs);
      const spanMs = endMs - atMs;
      const kw =
        segment.kw - segmentWithoutRebound.kw + 0.5 * (segment.kwPerMs - segmentWithoutRebound.kwPerMs) * spanMs;
      const active = consumer.rebounds.filter((rebound) => rebound.fromMs <= atMs && atMs < rebound.untilMs);
      const reboundSumKw = active.reduce((sum, rebound) => sum + rebound.kw, 0);
      for (const rebound of active) {
        const row = this.rows.findLast(({ endMs: rowEndMs }) => rowEndMs === rebound.fromMs);
        if (row !== undefined) row.reboundKwh += (kw * spanMs * rebound.kw) / (reboundSumKw * MS_PER_HOUR);
      }
      atMs = endMs;
    }
  }

  finish(endMs: EpochMs): readonly ReductionRow[] {
    if (this.openRow !== null) this.openRow.endMs = endMs;
    return this.rows;
  }
}

const EMPTY_TOTALS = { requestedKw: 0, baselineKwh: 0, actualKwh: 0, deliveredKwh: 0, reboundKwh: 0 };
