import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import type { EpochMs } from "../base/time.ts";
import type { BatteryColumns } from "../site/batteryColumns.ts";
import type { BankObserver, PlainBank } from "../site/plainBank.ts";
import type { Site } from "../site/site.ts";
import { newStretch } from "../site/stretch.ts";
import type { Instruction } from "../vpp/instruction.ts";
import { LEAF } from "./leaves.ts";
import type { SiteLedger } from "./siteLedger.ts";
import type { BatteryMeter } from "./siteMeter.ts";
import { baselineUntilMs, isSteady } from "./varying.ts";

/**
 * Registers and books of the sites that stand in a bank. Those of batteries go in and out with them, and are carried on in
 * the bank's columns; arrays and loads go on with the meters they have.
 *
 * Cycles are not counted here: only for runs whose rows nobody wants.
 */
export class BankBook extends Copyable implements BankObserver {
  bank!: PlainBank;
  private batteries!: BatteryColumns;
  private readonly ledger: SiteLedger;
  private readonly stretch = newStretch();

  constructor(ledger: SiteLedger) {
    super();
    this.ledger = ledger;
  }

  opened(bank: PlainBank): void {
    this.bank = bank;
    this.batteries = bank.batteries;
  }

  kept(site: Site): void {
    const { index } = site;
    if (this.bank.keptBatteries[index] === 0) return;
    const { batteries } = this;
    const { book, closedRegisters } = this.meterOf(site);
    batteries.importKwh[index] = closedRegisters[LEAF.import];
    batteries.exportKwh[index] = closedRegisters[LEAF.export];
    batteries.baselineKwh[index] = closedRegisters[LEAF.baseline];
    batteries.cellInKwh[index] = book.cellInKwh;
    batteries.cellOutKwh[index] = book.cellOutKwh;
    batteries.lowestKwh[index] = book.storedMinKwh;
    batteries.highestKwh[index] = book.storedMaxKwh;
    batteries.storedKwhMs[index] = book.storedKwhMs;
    batteries.atMinMs[index] = book.atMinMs;
    batteries.atMaxMs[index] = book.atMaxMs;
    batteries.countsFullKwh[index] = book.fullKwh;
    batteries.countsEmptyKwh[index] = book.emptyKwh;
  }

  closes(site: Site, orderKw: number, atMs: EpochMs): void {
    this.ledger.close(site, atMs, orderKw);
  }

  /**
   * What kept members deliver to an instruction over a time without change of law: kW beyond the baseline, signed, or
   * `Infinity` where it changes; 0 for those that do not execute it. NaN for members that are not kept.
   *
   * @returns their sum, which says nothing (`Infinity` or NaN) unless all members are kept and deliver steadily
   */
  deliveredKw(
    { number, membership: { sites } }: Instruction,
    fromMs: EpochMs,
    toMs: EpochMs,
    out: Float64Array,
  ): number {
    const { kept, keptBatteries, orders, baselineKw } = this.bank;
    const { boundMs, kw, auxiliaryKw } = this.batteries;
    let sumKw = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      let deliveredKw = 0;
      if (kept[index] === 0) deliveredKw = Number.NaN;
      else if (orders[index] === number) {
        if (keptBatteries[index] === 0) deliveredKw = this.unitKw(index, fromMs, toMs);
        else if (boundMs[index] <= fromMs) deliveredKw = auxiliaryKw[index] - baselineKw[index];
        else deliveredKw = boundMs[index] < toMs ? Number.POSITIVE_INFINITY : kw[index] - baselineKw[index];
      }
      out[i] = deliveredKw;
      sumKw += deliveredKw;
    }
    return sumKw;
  }

  /** The same of an array or a load that executes it. */
  private unitKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { stretch } = this;
    const { site } = this.ledger.meters[index];
    site.unit.stretchAt(fromMs, stretch);
    const untilMs = Math.min(stretch.endMs, this.baselineUntilMs(site, fromMs));
    if (untilMs < toMs || !isSteady(stretch)) return Number.POSITIVE_INFINITY;
    return stretch.kw - this.baselineKw(site, fromMs);
  }

  /** The baseline that a kept site reports: a load that of its slot, whatever it executes. */
  baselineKw(site: Site, atMs: EpochMs): number {
    return site.unit.kind === "consumer" ? site.reportedBaselineKw(atMs) : this.bank.baselineKw[site.index];
  }

  /** Until when it stays as it is. */
  baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
    return site.unit.kind === "consumer" ? baselineUntilMs(site, atMs) : Number.POSITIVE_INFINITY;
  }

  /** Cumulative kWh in less kWh out of a kept site, at an instant of the present law. */
  netImportKwh(index: number, atMs: EpochMs): number {
    const { startMs, keptBatteries, baselineKw } = this.bank;
    if (keptBatteries[index] === 1) return this.batteries.netImportKwh(index, startMs[index], atMs);
    const registers = this.ledger.meters[index].read(atMs, baselineKw[index]);
    return registers[LEAF.import] - registers[LEAF.export];
  }

  givenBack(site: Site, lawBeganMs: EpochMs): void {
    const { index } = site;
    if (this.bank.keptBatteries[index] === 0) return;
    const { batteries } = this;
    const meter = this.meterOf(site);
    const { book, closedRegisters } = meter;
    closedRegisters[LEAF.import] = batteries.importKwh[index];
    closedRegisters[LEAF.export] = batteries.exportKwh[index];
    closedRegisters[LEAF.baseline] = batteries.baselineKwh[index];
    book.cellInKwh = batteries.cellInKwh[index];
    book.cellOutKwh = batteries.cellOutKwh[index];
    book.storedMinKwh = batteries.lowestKwh[index];
    book.storedMaxKwh = batteries.highestKwh[index];
    book.storedKwhMs = batteries.storedKwhMs[index];
    book.atMinMs = batteries.atMinMs[index];
    book.atMaxMs = batteries.atMaxMs[index];
    meter.resume(lawBeganMs);
    this.ledger.resume(site, lawBeganMs);
  }

  /** Has a site that stands in the bank go on by itself; not between two laws. */
  leave(site: Site): void {
    if (this.bank.kept[site.index] === 0) return;
    const isUnsettled = this.bank.giveBack(site);
    assert(!isUnsettled, "a site leaves the bank under the law that holds");
  }

  private meterOf(site: Site): BatteryMeter {
    return this.ledger.meters[site.index] as BatteryMeter;
  }
}
