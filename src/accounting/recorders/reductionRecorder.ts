import { Copyable } from "../../base/copyState.ts";
import { toThousandths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Load } from "../../site/components/capabilities.ts";
import { newSegment } from "../../site/components/segment.ts";
import { REGISTER } from "../../site/meters/energyRegisters.ts";
import type { Site } from "../../site/site.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { ReductionRow } from "../runRecord.ts";

/** A row while it grows. */
type ReductionDraft = { -readonly [Field in keyof ReductionRow]: ReductionRow[Field] };

/** The load reductions of all sites, read off each law when it has ended. */
export class ReductionRecorder extends Copyable {
  /** One per site; `null` where there is no load. */
  private readonly bySite: readonly (SiteReductions | null)[];

  constructor(meters: readonly SiteMeter[]) {
    super();
    this.bySite = meters.map((meter) => {
      const loads = meter.site.resource.loads();
      return loads.length === 0 ? null : new SiteReductions(meter, loads);
    });
  }

  /** A law has ended that began at `trajectoryFromMs`; the meter is read to its end, and site and units still say what ruled it. */
  recordTrajectoryEnd(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const reductions = this.bySite[site.index];
    if (reductions !== null && fromMs < toMs) reductions.addInterval(fromMs, toMs);
  }

  /** @param endMs  of the run; reductions that go on are told until then */
  finish(endMs: EpochMs): readonly ReductionRow[] {
    const rows = this.bySite.flatMap((reductions, order) =>
      (reductions?.finish(endMs) ?? []).map((row) => ({ row, order })),
    );
    return rows.sort((a, b) => a.row.startMs - b.row.startMs || a.order - b.order).map(({ row }) => row);
  }
}

/** kW of load that a site is told to shed by the law in force; 0 without a reduction. */
export function reductionKwOf({ resource: unit, dispatchedDeltaKw }: Site): number {
  return unit.composite === null ? Math.max(0, -(dispatchedDeltaKw ?? 0)) : unit.composite.reductionKw;
}

class SiteReductions extends Copyable {
  private readonly meter: SiteMeter;
  private readonly consumers: readonly Load[];
  private readonly rows: ReductionDraft[] = [];
  private openRow: ReductionDraft | null = null;
  private sku: Sku | null = null;
  /** Registers where the present law began. */
  private baselineKwh = 0;
  private netImportKwh = 0;
  private deliveredThousandths = 0;
  private readonly segmentWithRebound = newSegment();
  private readonly segmentWithoutRebound = newSegment();

  constructor(meter: SiteMeter, loads: readonly Load[]) {
    super();
    this.meter = meter;
    this.consumers = loads;
  }

  addInterval(fromMs: EpochMs, toMs: EpochMs): void {
    const { site } = this.meter;
    const { reduction } = site;
    if (this.openRow !== null && !(reduction.reducing && reduction.sku === this.sku)) {
      // Another product takes over where this law begins; otherwise the site knows the end, which an outage sets back.
      this.openRow.endMs = reduction.reducing ? fromMs : reduction.endedMs;
      this.openRow = null;
    }
    if (reduction.reducing) this.openRow ??= this.beginRow(fromMs);
    this.addEnergy(toMs);
    for (const load of this.consumers) if (load.rebounds.length > 0) this.addRebounds(load, fromMs, toMs);
  }

  private beginRow(startMs: EpochMs): ReductionDraft {
    const { site } = this.meter;
    const row = { site: site.spec.name, startMs, endMs: Number.NaN, ...EMPTY_TOTALS };
    this.sku = site.reduction.sku;
    this.rows.push(row);
    return row;
  }

  /** What the law brought, where a reduction was in force and the site in service. */
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
      // Differences of the rounded register, as the site's own figure is: the rows sum to it in print.
      row.deliveredKwh = (toThousandths(row.deliveredKwh) + thousandths - this.deliveredThousandths) / 1000;
    }
    this.baselineKwh = baselineKwh;
    this.netImportKwh = netKwh;
    this.deliveredThousandths = thousandths;
  }

  /** Rebounds draw together; where the maximum demand cuts them, each loses in proportion. */
  private addRebounds(load: Load, fromMs: EpochMs, toMs: EpochMs): void {
    const stretch = this.segmentWithRebound;
    const without = this.segmentWithoutRebound;
    let atMs = fromMs;
    while (atMs < toMs) {
      load.segmentWithoutResponseAt(atMs, stretch);
      load.segmentWithoutReboundAt(atMs, without);
      const endMs = Math.min(toMs, stretch.endMs, without.endMs);
      const spanMs = endMs - atMs;
      const kw = stretch.kw - without.kw + 0.5 * (stretch.kwPerMs - without.kwPerMs) * spanMs;
      const active = load.rebounds.filter((rebound) => rebound.fromMs <= atMs && atMs < rebound.untilMs);
      const wantedKw = active.reduce((sum, rebound) => sum + rebound.kw, 0);
      for (const rebound of active) {
        const row = this.rows.findLast(({ endMs: rowEndMs }) => rowEndMs === rebound.fromMs);
        if (row !== undefined) row.reboundKwh += (kw * spanMs * rebound.kw) / (wantedKw * MS_PER_HOUR);
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
