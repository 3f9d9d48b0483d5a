import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { cappedIntegral } from "../../../series/model/cappedIntegral.ts";
import { REGISTER } from "../../meters/energyRegisters.ts";
import { MeterRegisters } from "../../meters/meterRegisters.ts";
import { baselineKwh, curtailmentRegister } from "../../meters/meterRules.ts";
import {
  type MeteredSite,
  NO_BATTERIES,
  newTrajectoryEnergy,
  type SharedTrajectoryMeter,
  type TrajectoryEnergy,
} from "../../meters/resourceMeter.ts";
import type { GeneratorComponent, OutputAccumulator } from "./generatorComponent.ts";

export class GeneratorMeter<S extends MeteredSite> extends Copyable implements SharedTrajectoryMeter<S> {
  readonly site: S;
  readonly batteries = NO_BATTERIES;
  private readonly component: GeneratorComponent;
  private readonly registers: MeterRegisters;
  private trajectoryStartMs: EpochMs;
  /** Of the capped output since the law began. */
  private readonly outputIntegral: OutputAccumulator;
  /** Filled anew for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  constructor(site: S, unit: GeneratorComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
    this.outputIntegral = { atMs: startMs, exportedKwh: 0 };
  }

  read(atMs: EpochMs, orderKw = Number.NaN): Float64Array {
    if (atMs <= this.trajectoryStartMs) return this.registers.closed;
    const known = this.registers.cachedAt(atMs);
    if (known !== null) return known;
    this.measure(atMs, orderKw, this.trajectoryEnergy);
    return this.addEnergy(this.trajectoryEnergy, this.registers.beginReading(atMs));
  }

  private measure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void {
    const fromMs = this.trajectoryStartMs;
    energy.baselineKwh = Number.isNaN(orderKw)
      ? baselineKwh(this.site, fromMs, atMs)
      : (orderKw * (atMs - fromMs)) / MS_PER_HOUR;
    energy.exportKwh = 0;
    energy.outputControlledKwh = 0;
    energy.manuallyCurtailedKwh = 0;
    const unit = this.component;
    if (!unit.inService) return;
    const potentialKwh = unit.availableKw.integrate(fromMs, atMs);
    if (unit.capKw === Number.POSITIVE_INFINITY) {
      energy.exportKwh = potentialKwh;
      return;
    }
    const sentKwh = Math.min(unit.exportedKwhUntil(atMs, this.outputIntegral), potentialKwh);
    energy.exportKwh = sentKwh;
    const curtailedKwh = potentialKwh - sentKwh;
    energy.outputControlledKwh = this.outputControlledKwh(curtailedKwh, fromMs, atMs);
    energy.manuallyCurtailedKwh = curtailedKwh - energy.outputControlledKwh;
  }

  /** Output control takes first, down to its cap; the rest is the set-point's. */
  private outputControlledKwh(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs): number {
    const { outputControlKw, setpointKw: setPointKw, availableKw } = this.component;
    if (outputControlKw === Number.POSITIVE_INFINITY) return 0;
    if (outputControlKw <= setPointKw) return curtailedKwh;
    const aboveKwh = availableKw.integrate(fromMs, atMs) - cappedIntegral(availableKw, outputControlKw, fromMs, atMs);
    return Math.min(curtailedKwh, aboveKwh);
  }

  private addEnergy(energy: TrajectoryEnergy, registers: Float64Array): Float64Array {
    registers[REGISTER.baseline] += energy.baselineKwh;
    registers[REGISTER.export] += energy.exportKwh;
    if (energy.outputControlledKwh !== 0) registers[curtailmentRegister(this.site)] += energy.outputControlledKwh;
    registers[REGISTER.manualCurtailed] += energy.manuallyCurtailedKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    // What was read here still stands in `energy`.
    if (this.registers.cachedAt(atMs) === null) this.measure(atMs, Number.NaN, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  closeAndMeasure(atMs: EpochMs, orderKw: number, energy: TrajectoryEnergy): void {
    this.measure(atMs, orderKw, energy);
    this.closeWithEnergy(atMs, energy);
  }

  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.registers.closed);
    this.trajectoryStartMs = atMs;
    this.outputIntegral.atMs = atMs;
    this.outputIntegral.exportedKwh = 0;
  }
}
