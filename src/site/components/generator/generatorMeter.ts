import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
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
  /** Integral of the capped output since the start of the trajectory. */
  private readonly outputIntegral: OutputAccumulator;
  /** Reused for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  constructor(site: S, component: GeneratorComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = component;
    this.trajectoryStartMs = startMs;
    this.outputIntegral = { atMs: startMs, exportedKwh: 0 };
  }

  read(atMs: EpochMs): Float64Array {
    if (atMs <= this.trajectoryStartMs) return this.registers.closed;
    const cached = this.registers.cachedAt(atMs);
    if (cached !== null) return cached;
    this.measure(atMs, this.trajectoryEnergy);
    return this.addEnergy(this.trajectoryEnergy, this.registers.beginReading(atMs));
  }

  private measure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    const fromMs = this.trajectoryStartMs;
    energy.baselineKwh = baselineKwh(this.site, fromMs, atMs);
    energy.exportKwh = 0;
    energy.outputControlledKwh = 0;
    energy.manuallyCurtailedKwh = 0;
    const { component } = this;
    if (!component.inService) return;
    const potentialKwh = component.availableKw.integrate(fromMs, atMs);
    if (component.capKw === Number.POSITIVE_INFINITY) {
      energy.exportKwh = potentialKwh;
      return;
    }
    const sentKwh = Math.min(component.exportedKwhUntil(atMs, this.outputIntegral), potentialKwh);
    energy.exportKwh = sentKwh;
    const curtailedKwh = potentialKwh - sentKwh;
    energy.outputControlledKwh = this.outputControlledKwh(curtailedKwh, fromMs, atMs);
    energy.manuallyCurtailedKwh = curtailedKwh - energy.outputControlledKwh;
  }

  /** Curtailment down to the cap of output control is attributed to output control, the rest to the set-point. */
  private outputControlledKwh(curtailedKwh: number, fromMs: EpochMs, atMs: EpochMs): number {
    const { outputControlKw, setpointKw, availableKw } = this.component;
    if (outputControlKw === Number.POSITIVE_INFINITY) return 0;
    if (outputControlKw <= setpointKw) return curtailedKwh;
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
    // A cached reading at this instant means that `trajectoryEnergy` is up to date.
    if (this.registers.cachedAt(atMs) === null) this.measure(atMs, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  closeAndMeasure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.measure(atMs, energy);
    this.closeWithEnergy(atMs, energy);
  }

  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.registers.closed);
    this.trajectoryStartMs = atMs;
    this.outputIntegral.atMs = atMs;
    this.outputIntegral.exportedKwh = 0;
  }
}
