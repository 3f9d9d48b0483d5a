import { Copyable } from "../../base/copyState.ts";
import { toThousandths } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { ConsumerUnit } from "../../site/components/consumerUnit.ts";
import { newStretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { LEAF } from "../meters/leaves.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { ReductionRow } from "../runRecord.ts";

/** A row while it grows. */
type Draft = { -readonly [Field in keyof ReductionRow]: ReductionRow[Field] };

/** The load reductions of all sites, read off each law when it has ended. */
export class ReductionBook extends Copyable {
  /** One per site; `null` where there is no load. */
  private readonly bySite: readonly (SiteReductions | null)[];

  constructor(meters: readonly SiteMeter[]) {
    super();
    this.bySite = meters.map((meter) => {
      const loads = loadsOf(meter.site);
      return loads.length === 0 ? null : new SiteReductions(meter, loads);
    });
  }

  /** A law has ended that began at `fromMs`; the meter is read to its end, and site and units still say what ruled it. */
  lawEnded(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const reductions = this.bySite[site.index];
    if (reductions !== null && fromMs < toMs) reductions.add(fromMs, toMs);
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
export function reductionKwOf({ unit, dispatchedDeltaKw }: Site): number {
  return unit.kind === "multi_component" ? unit.reductionKw : Math.max(0, -(dispatchedDeltaKw ?? 0));
}

function loadsOf({ unit }: Site): readonly ConsumerUnit[] {
  if (unit.kind === "consumer") return [unit];
  return unit.kind === "multi_component" ? unit.consumers.map((lane) => lane.unit) : [];
}

class SiteReductions extends Copyable {
  private readonly meter: SiteMeter;
  private readonly loads: readonly ConsumerUnit[];
  private readonly rows: Draft[] = [];
  private open: Draft | null = null;
  private sku: Sku | null = null;
  /** Registers where the present law began. */
  private baselineKwh = 0;
  private netKwh = 0;
  private thousandths = 0;
  private readonly with = newStretch();
  private readonly without = newStretch();

  constructor(meter: SiteMeter, loads: readonly ConsumerUnit[]) {
    super();
    this.meter = meter;
    this.loads = loads;
  }

  add(fromMs: EpochMs, toMs: EpochMs): void {
    const { site } = this.meter;
    const { reduction } = site;
    if (this.open !== null && !(reduction.reducing && reduction.sku === this.sku)) {
      // Another product takes over where this law begins; otherwise the site knows the end, which an outage sets back.
      this.open.endMs = reduction.reducing ? fromMs : reduction.endedMs;
      this.open = null;
    }
    if (reduction.reducing) this.open ??= this.begin(fromMs);
    this.addEnergy(toMs);
    for (const load of this.loads) if (load.rebounds.length > 0) this.addRebounds(load, fromMs, toMs);
  }

  private begin(startMs: EpochMs): Draft {
    const { site } = this.meter;
    const row = { site: site.spec.name, startMs, endMs: Number.NaN, ...NOTHING_YET };
    this.sku = site.reduction.sku;
    this.rows.push(row);
    return row;
  }

  /** What the law brought, where a reduction was in force and the site in service. */
  private addEnergy(toMs: EpochMs): void {
    const { site } = this.meter;
    const registers = this.meter.read(toMs);
    const baselineKwh = registers[LEAF.baseline];
    const netKwh = registers[LEAF.import] - registers[LEAF.export];
    const thousandths = toThousandths(registers[LEAF.drDelivered]);
    const row = this.open;
    if (row !== null && site.inService) {
      row.askedKw = Math.max(row.askedKw, reductionKwOf(site));
      row.baselineKwh += baselineKwh - this.baselineKwh;
      row.actualKwh += netKwh - this.netKwh;
      // Differences of the rounded register, as the site's own figure is: the rows sum to it in print.
      row.deliveredKwh = (toThousandths(row.deliveredKwh) + thousandths - this.thousandths) / 1000;
    }
    this.baselineKwh = baselineKwh;
    this.netKwh = netKwh;
    this.thousandths = thousandths;
  }

  /** Rebounds draw together; where the maximum demand cuts them, each loses in proportion. */
  private addRebounds(load: ConsumerUnit, fromMs: EpochMs, toMs: EpochMs): void {
    const stretch = this.with;
    const without = this.without;
    let atMs = fromMs;
    while (atMs < toMs) {
      load.stretchWithoutResponseAt(atMs, stretch);
      load.stretchWithoutReboundAt(atMs, without);
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
    if (this.open !== null) this.open.endMs = endMs;
    return this.rows;
  }
}

const NOTHING_YET = { askedKw: 0, baselineKwh: 0, actualKwh: 0, deliveredKwh: 0, reboundKwh: 0 };
