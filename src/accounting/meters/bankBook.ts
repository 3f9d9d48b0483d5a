import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { BankBatteries } from "../../site/batch/bankBatteries.ts";
import type { BankObserver, PlainBank } from "../../site/batch/plainBank.ts";
import { newStretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH, type DispatchTable, type Instruction } from "../../vpp/instructions/instruction.ts";
import { baselineUntilMs, isSteady } from "../settlement/varying.ts";
import { LEAF } from "./leaves.ts";
import type { SiteLedger } from "./siteLedger.ts";
import { type BatteryMeter, newLawEnergy, type UnitMeter } from "./siteMeter.ts";

/** What is known of the laws of arrays and loads that are alike, worked out for one of those that follow the law. */
class GroupFigures extends Copyable {
  /** Number of the law that ended last, when, and what it brought. */
  endedLaw = 0;
  endedMs: EpochMs = Number.NaN;
  readonly energy = newLawEnergy();
  /** Number of the law that was asked last what it delivers, over which time, and kW; `Infinity` where that changes. */
  askedLaw = 0;
  fromMs: EpochMs = Number.NaN;
  toMs: EpochMs = Number.NaN;
  deliveredKw = Number.NaN;
}

/**
 * Registers and books of the sites that stand in a bank. Those of batteries go in and out with them, and are carried on in
 * the bank; arrays and loads go on with the meters they have.
 *
 * Cycles are not counted here: only for runs whose rows nobody wants.
 */
export class BankBook extends Copyable implements BankObserver {
  bank!: PlainBank;
  private batteries!: BankBatteries;
  /** By group of the bank. */
  private figures: readonly GroupFigures[] = [];
  private readonly ledger: SiteLedger;
  private readonly stretch = newStretch();

  constructor(ledger: SiteLedger) {
    super();
    this.ledger = ledger;
  }

  opened(bank: PlainBank): void {
    this.bank = bank;
    this.batteries = bank.batteries;
    this.figures = Array.from({ length: bank.sharedLaws.groupCount }, () => new GroupFigures());
  }

  kept(site: Site): void {
    const { index } = site;
    if (this.bank.keptBatteries[index] === 0) return;
    const battery = this.batteries.each[index];
    const { book, closedRegisters } = this.meterOf(site);
    battery.importKwh = closedRegisters[LEAF.import];
    battery.exportKwh = closedRegisters[LEAF.export];
    battery.baselineKwh = closedRegisters[LEAF.baseline];
    battery.cellInKwh = book.cellInKwh;
    battery.cellOutKwh = book.cellOutKwh;
    battery.lowestKwh = book.storedMinKwh;
    battery.highestKwh = book.storedMaxKwh;
    battery.storedKwhMs = book.storedKwhMs;
    battery.atMinMs = book.atMinMs;
    battery.atMaxMs = book.atMaxMs;
    battery.countsFullKwh = book.fullKwh;
    battery.countsEmptyKwh = book.emptyKwh;
  }

  closes({ index }: Site, orderKw: number, atMs: EpochMs): void {
    if (atMs <= this.bank.startMs[index]) return;
    const { laws, groups } = this.bank.sharedLaws;
    const law = laws[index];
    const figures = this.figures[groups[index]];
    const meter = this.ledger.meters[index] as UnitMeter;
    if (figures.endedLaw === law && figures.endedMs === atMs) meter.closeWith(atMs, figures.energy);
    else {
      meter.closeInto(atMs, orderKw, figures.energy);
      figures.endedLaw = law;
      figures.endedMs = atMs;
    }
  }

  /**
   * What kept members deliver to a running instruction over a time without change of law: kW beyond the baseline, signed, or
   * `Infinity` where it changes; 0 for those that do not take part in its delta. NaN for members that are not kept.
   *
   * @returns their sum, which says nothing (`Infinity` or NaN) unless all members are kept and deliver steadily
   */
  deliveredKw(instruction: Instruction, fromMs: EpochMs, toMs: EpochMs, out: Float64Array): number {
    const { number, membership } = instruction;
    const { sites } = membership;
    const table = instruction.table as DispatchTable;
    const { kept, keptBatteries, orders, baselineKw } = this.bank;
    const { each } = this.batteries;
    let sumKw = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      let deliveredKw = 0;
      if (kept[index] === 0) deliveredKw = Number.NaN;
      else if (orders[index] === number && table.deltaStatus(i) === DISPATCH.dispatched) {
        if (keptBatteries[index] === 0) deliveredKw = this.unitKw(index, fromMs, toMs);
        else {
          const { boundMs, kw, auxiliaryKw } = each[index];
          if (boundMs <= fromMs) deliveredKw = auxiliaryKw - baselineKw[index];
          else deliveredKw = boundMs < toMs ? Number.POSITIVE_INFINITY : kw - baselineKw[index];
        }
      }
      out[i] = deliveredKw;
      sumKw += deliveredKw;
    }
    return sumKw;
  }

  /** The same of an array or a load that executes it. */
  private unitKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
    const { laws, groups } = this.bank.sharedLaws;
    const law = laws[index];
    const figures = this.figures[groups[index]];
    if (figures.askedLaw !== law || figures.fromMs !== fromMs || figures.toMs !== toMs) {
      figures.askedLaw = law;
      figures.fromMs = fromMs;
      figures.toMs = toMs;
      figures.deliveredKw = this.steadyKw(index, fromMs, toMs);
    }
    return figures.deliveredKw;
  }

  private steadyKw(index: number, fromMs: EpochMs, toMs: EpochMs): number {
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
    if (keptBatteries[index] === 1) return this.batteries.each[index].netImportKwh(startMs[index], atMs);
    const registers = this.ledger.meters[index].read(atMs, baselineKw[index]);
    return registers[LEAF.import] - registers[LEAF.export];
  }

  givenBack(site: Site, lawBeganMs: EpochMs): void {
    const { index } = site;
    this.ledger.resume(site, lawBeganMs);
    if (this.bank.keptBatteries[index] === 0) return;
    const battery = this.batteries.each[index];
    const meter = this.meterOf(site);
    const { book, closedRegisters } = meter;
    closedRegisters[LEAF.import] = battery.importKwh;
    closedRegisters[LEAF.export] = battery.exportKwh;
    closedRegisters[LEAF.baseline] = battery.baselineKwh;
    book.cellInKwh = battery.cellInKwh;
    book.cellOutKwh = battery.cellOutKwh;
    book.storedMinKwh = battery.lowestKwh;
    book.storedMaxKwh = battery.highestKwh;
    book.storedKwhMs = battery.storedKwhMs;
    book.atMinMs = battery.atMinMs;
    book.atMaxMs = battery.atMaxMs;
    meter.resume(lawBeganMs);
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
