import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import { shareBeyond } from "../device/stepFold.ts";
import type { BatteryColumns } from "../site/batteryColumns.ts";
import type { BankObserver, PlainBank } from "../site/plainBank.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instruction.ts";
import { LEAF } from "./leaves.ts";
import type { SiteLedger } from "./siteLedger.ts";
import type { BatteryMeter } from "./siteMeter.ts";

/**
 * Registers and books of the sites that stand in a bank. Those of batteries are in columns as the bank itself: what
 * `BatteryMeter` and `BatteryBook` add up, in the same order, so that a battery that goes in and out comes to the same
 * digits. Arrays and loads go on with the meters they have.
 *
 * Cycles are not counted here: only for runs whose rows nobody wants.
 */
export class BankBook extends Copyable implements BankObserver {
  bank!: PlainBank;
  private batteries!: BatteryColumns;
  private readonly ledger: SiteLedger;
  /** kWh at the grid point and of the reported baseline. */
  private readonly importKwh: Float64Array;
  private readonly exportKwh: Float64Array;
  private readonly baselineKwh: Float64Array;
  /** kWh at the AC side of the cells. */
  private readonly cellInKwh: Float64Array;
  private readonly cellOutKwh: Float64Array;
  private readonly storedMinKwh: Float64Array;
  private readonly storedMaxKwh: Float64Array;
  private readonly storedKwhMs: Float64Array;
  private readonly atMinMs: Float64Array;
  private readonly atMaxMs: Float64Array;
  /** Stored energies from which on a store counts as full, and as empty. */
  private readonly fullKwh: Float64Array;
  private readonly emptyKwh: Float64Array;
  /** Those whose stores met a bound on the way, and those without a store. */
  private readonly atBound: Int32Array;
  private readonly units: Int32Array;

  constructor(ledger: SiteLedger) {
    super();
    const column = () => new Float64Array(ledger.meters.length);
    this.ledger = ledger;
    this.importKwh = column();
    this.exportKwh = column();
    this.baselineKwh = column();
    this.cellInKwh = column();
    this.cellOutKwh = column();
    this.storedMinKwh = column();
    this.storedMaxKwh = column();
    this.storedKwhMs = column();
    this.atMinMs = column();
    this.atMaxMs = column();
    this.fullKwh = column();
    this.emptyKwh = column();
    this.atBound = new Int32Array(ledger.meters.length);
    this.units = new Int32Array(ledger.meters.length);
  }

  opened(bank: PlainBank): void {
    this.bank = bank;
    this.batteries = bank.batteries;
  }

  kept(site: Site): void {
    const { index } = site;
    if (this.bank.keptBatteries[index] === 0) return;
    const { book, closedRegisters } = this.meterOf(site);
    this.importKwh[index] = closedRegisters[LEAF.import];
    this.exportKwh[index] = closedRegisters[LEAF.export];
    this.baselineKwh[index] = closedRegisters[LEAF.baseline];
    this.cellInKwh[index] = book.cellInKwh;
    this.cellOutKwh[index] = book.cellOutKwh;
    this.storedMinKwh[index] = book.storedMinKwh;
    this.storedMaxKwh[index] = book.storedMaxKwh;
    this.storedKwhMs[index] = book.storedKwhMs;
    this.atMinMs[index] = book.atMinMs;
    this.atMaxMs[index] = book.atMaxMs;
    this.fullKwh[index] = book.fullKwh;
    this.emptyKwh[index] = book.emptyKwh;
  }

  /**
   * As `BatteryMeter.close` and `BatteryBook.fold`. The loop calls nothing, and looks up each column once: it runs for every
   * battery of every award.
   */
  close(indices: Int32Array, count: number, atMs: EpochMs): void {
    const { startMs, baselineKw, keptBatteries } = this.bank;
    const { boundMs, kw, auxiliaryKw, storedKwh, storedKwhPerMs } = this.batteries;
    const { importKwh, exportKwh, baselineKwh, cellInKwh, cellOutKwh } = this;
    const { storedMinKwh, storedMaxKwh, storedKwhMs, atMinMs, atMaxMs, fullKwh, emptyKwh, atBound, units } = this;
    let atBoundCount = 0;
    let unitCount = 0;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (keptBatteries[index] === 0) {
        units[unitCount++] = index;
        continue;
      }
      const spanMs = atMs - startMs[index];
      if (spanMs <= 0) continue;
      baselineKwh[index] += (baselineKw[index] * spanMs) / MS_PER_HOUR;
      if (boundMs[index] < atMs) {
        atBound[atBoundCount++] = index;
        continue;
      }
      const kwh = (kw[index] * spanMs) / MS_PER_HOUR;
      if (kwh > 0) importKwh[index] += kwh;
      else exportKwh[index] -= kwh;
      const cellKwh = ((kw[index] - auxiliaryKw[index]) * spanMs) / MS_PER_HOUR;
      if (cellKwh > 0) cellInKwh[index] += cellKwh;
      else cellOutKwh[index] -= cellKwh;
      const fromKwh = storedKwh[index];
      const toKwh = fromKwh + storedKwhPerMs[index] * spanMs;
      const low = Math.min(fromKwh, toKwh);
      const high = Math.max(fromKwh, toKwh);
      if (low < storedMinKwh[index]) storedMinKwh[index] = low;
      if (high > storedMaxKwh[index]) storedMaxKwh[index] = high;
      storedKwhMs[index] += 0.5 * (fromKwh + toKwh) * spanMs;
      const overKwh = high - fullKwh[index];
      if (overKwh >= 0) atMaxMs[index] += shareBeyond(overKwh, high - low) * spanMs;
      const underKwh = emptyKwh[index] - low;
      if (underKwh >= 0) atMinMs[index] += shareBeyond(underKwh, high - low) * spanMs;
    }
    for (let k = 0; k < atBoundCount; k++) this.foldBound(atBound[k], atMs - startMs[atBound[k]]);
    for (let k = 0; k < unitCount; k++) {
      const { site } = this.ledger.meters[units[k]];
      this.ledger.close(site, atMs, baselineKw[units[k]]);
    }
  }

  /** One power until the store is full or empty, then what the auxiliaries take. */
  private foldBound(index: number, spanMs: number): void {
    const { batteries } = this;
    const workMs = batteries.boundAfterMs[index];
    const restMs = spanMs - workMs;
    this.importKwh[index] += this.boundImportKwh(index, spanMs);
    this.exportKwh[index] += this.boundExportKwh(index);
    const cellKwMs = (batteries.kw[index] - batteries.auxiliaryKw[index]) * workMs;
    if (0 < cellKwMs) this.cellInKwh[index] += cellKwMs / MS_PER_HOUR;
    else this.cellOutKwh[index] -= cellKwMs / MS_PER_HOUR;
    const fromKwh = batteries.storedKwh[index];
    const toKwh = fromKwh + batteries.storedKwhPerMs[index] * workMs;
    const boundKwh = batteries.boundKwh(index);
    this.storedMinKwh[index] = Math.min(this.storedMinKwh[index], fromKwh, toKwh, boundKwh);
    this.storedMaxKwh[index] = Math.max(this.storedMaxKwh[index], fromKwh, toKwh, boundKwh);
    this.storedKwhMs[index] += 0.5 * (fromKwh + toKwh) * workMs + boundKwh * restMs;
    const low = Math.min(fromKwh, toKwh);
    const high = Math.max(fromKwh, toKwh);
    const overKwh = high - this.fullKwh[index];
    const underKwh = this.emptyKwh[index] - low;
    const maxMs = overKwh >= 0 ? shareBeyond(overKwh, high - low) * workMs : 0;
    const minMs = underKwh >= 0 ? shareBeyond(underKwh, high - low) * workMs : 0;
    this.atMaxMs[index] += maxMs + (this.fullKwh[index] <= boundKwh ? restMs : 0);
    this.atMinMs[index] += minMs + (boundKwh <= this.emptyKwh[index] ? restMs : 0);
  }

  private boundImportKwh(index: number, spanMs: number): number {
    const { kw, auxiliaryKw, boundAfterMs } = this.batteries;
    const workMs = boundAfterMs[index];
    const workKwMs = kw[index] <= 0 ? 0 : kw[index] * workMs;
    return (workKwMs + auxiliaryKw[index] * (spanMs - workMs)) / MS_PER_HOUR;
  }

  private boundExportKwh(index: number): number {
    const { kw, boundAfterMs } = this.batteries;
    return (0 <= kw[index] ? 0 : -kw[index] * boundAfterMs[index]) / MS_PER_HOUR;
  }

  /**
   * What members with kept batteries deliver to an instruction over a time without change of law: kW beyond the baseline,
   * signed, or `Infinity` where it changes. NaN for all other members.
   */
  deliveredKw({ number, membership: { sites } }: Instruction, fromMs: EpochMs, toMs: EpochMs, out: Float64Array): void {
    const { keptBatteries, orders, baselineKw } = this.bank;
    const { boundMs, kw, auxiliaryKw } = this.batteries;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      if (keptBatteries[index] === 0 || orders[index] !== number) out[i] = Number.NaN;
      else if (boundMs[index] <= fromMs) out[i] = auxiliaryKw[index] - baselineKw[index];
      else out[i] = boundMs[index] < toMs ? Number.POSITIVE_INFINITY : kw[index] - baselineKw[index];
    }
  }

  /** Cumulative kWh in less kWh out of a kept site, at an instant of the present law. */
  netImportKwh(index: number, atMs: EpochMs): number {
    const { startMs, keptBatteries, baselineKw } = this.bank;
    if (keptBatteries[index] === 0) {
      const registers = this.ledger.meters[index].read(atMs, baselineKw[index]);
      return registers[LEAF.import] - registers[LEAF.export];
    }
    const { boundMs, kw } = this.batteries;
    const spanMs = atMs - startMs[index];
    let importKwh = this.importKwh[index];
    let exportKwh = this.exportKwh[index];
    if (boundMs[index] < atMs) {
      importKwh += this.boundImportKwh(index, spanMs);
      exportKwh += this.boundExportKwh(index);
    } else {
      const kwh = (kw[index] * spanMs) / MS_PER_HOUR;
      if (kwh > 0) importKwh += kwh;
      else exportKwh -= kwh;
    }
    return importKwh - exportKwh;
  }

  givenBack(site: Site, lawBeganMs: EpochMs): void {
    const { index } = site;
    if (this.bank.keptBatteries[index] === 0) return;
    const meter = this.meterOf(site);
    const { book, closedRegisters } = meter;
    closedRegisters[LEAF.import] = this.importKwh[index];
    closedRegisters[LEAF.export] = this.exportKwh[index];
    closedRegisters[LEAF.baseline] = this.baselineKwh[index];
    book.cellInKwh = this.cellInKwh[index];
    book.cellOutKwh = this.cellOutKwh[index];
    book.storedMinKwh = this.storedMinKwh[index];
    book.storedMaxKwh = this.storedMaxKwh[index];
    book.storedKwhMs = this.storedKwhMs[index];
    book.atMinMs = this.atMinMs[index];
    book.atMaxMs = this.atMaxMs[index];
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
