import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { BatteryRegisters } from "../../meters/batteryRegisters.ts";
import { REGISTER } from "../../meters/energyRegisters.ts";
import { MeterRegisters } from "../../meters/meterRegisters.ts";
import { baselineKwh } from "../../meters/meterRules.ts";
import type { MeteredSite, ResourceMeter } from "../../meters/resourceMeter.ts";
import { TrajectoryWalker } from "../../meters/trajectoryWalker.ts";
import type { BatteryComponent } from "./batteryComponent.ts";

/** Meter of a battery, with throughput, cycles and state of charge for the battery report. */
export class BatteryMeter<S extends MeteredSite> extends Copyable implements ResourceMeter<S> {
  readonly site: S;
  readonly batteries: readonly BatteryRegisters[];
  private readonly component: BatteryComponent;
  readonly batteryRegisters: BatteryRegisters;
  private readonly registers: MeterRegisters;
  private readonly walker = new TrajectoryWalker();
  private trajectoryStartMs: EpochMs;

  constructor(site: S, component: BatteryComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = component;
    this.trajectoryStartMs = startMs;
    this.batteryRegisters = new BatteryRegisters(component);
    this.batteries = [this.batteryRegisters];
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.cachedAt(atMs) ?? this.addSince(fromMs, atMs, this.registers.beginReading(atMs));
  }

  /** @returns `registers`, increased by the energy of the present trajectory until `atMs` */
  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { trajectory } = this.component;
    registers[REGISTER.baseline] += baselineKwh(this.site, fromMs, atMs);
    if (this.batteryRegisters.isSteadyUntil(atMs)) {
      const kwh = (trajectory.constKwOf(0) * (atMs - fromMs)) / MS_PER_HOUR;
      if (kwh > 0) registers[REGISTER.import] += kwh;
      else registers[REGISTER.export] -= kwh;
      return registers;
    }
    this.walker.read(trajectory, fromMs, atMs);
    registers[REGISTER.import] += this.walker.importKwh;
    registers[REGISTER.export] += this.walker.exportKwh;
    return registers;
  }

  /** Register values at the end of the last trajectory. */
  get closedRegisters(): Float64Array {
    return this.registers.closed;
  }

  /** Continues with a trajectory that began at an instant; the registers must hold the values of that instant. */
  resume(trajectoryStartMs: EpochMs): void {
    this.trajectoryStartMs = trajectoryStartMs;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return;
    // Without a cached reading, the energy is added to the closed registers directly.
    if (this.registers.cachedAt(atMs) === null) this.addSince(fromMs, atMs, this.registers.closed);
    else this.registers.closeLatest();
    this.walker.restart();
    this.trajectoryStartMs = atMs;
    this.batteryRegisters.integrate(fromMs, atMs);
  }
}
