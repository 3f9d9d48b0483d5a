import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { BatteryRegisters } from "../../meters/batteryRegisters.ts";
import { REGISTER } from "../../meters/energyRegisters.ts";
import { MeterRegisters } from "../../meters/meterRegisters.ts";
import { baselineKwh } from "../../meters/meterRules.ts";
import type { MeteredSite, ResourceMeter } from "../../meters/resourceMeter.ts";
import { TrajectoryWalker } from "../../meters/trajectoryWalker.ts";
import type { BatteryComponent } from "./batteryComponent.ts";

/** Also keeps what battery reports tell: throughput, cycles, SOC. */
export class BatteryMeter<S extends MeteredSite> extends Copyable implements ResourceMeter<S> {
  readonly site: S;
  readonly batteries: readonly BatteryRegisters[];
  private readonly component: BatteryComponent;
  readonly batteryRegisters: BatteryRegisters;
  private readonly registers: MeterRegisters;
  private readonly walker = new TrajectoryWalker();
  private trajectoryStartMs: EpochMs;

  constructor(site: S, unit: BatteryComponent, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = unit;
    this.trajectoryStartMs = startMs;
    this.batteryRegisters = new BatteryRegisters(unit);
    this.batteries = [this.batteryRegisters];
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.cachedAt(atMs) ?? this.addSince(fromMs, atMs, this.registers.beginReading(atMs));
  }

  /** @returns `registers` with what the law has brought since it began */
  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { trajectory: law } = this.component;
    registers[REGISTER.baseline] += baselineKwh(this.site, fromMs, atMs);
    if (this.batteryRegisters.isSteadyUntil(atMs)) {
      const kwh = (law.constKw[0] * (atMs - fromMs)) / MS_PER_HOUR;
      if (kwh > 0) registers[REGISTER.import] += kwh;
      else registers[REGISTER.export] -= kwh;
      return registers;
    }
    this.walker.read(law, fromMs, atMs);
    registers[REGISTER.import] += this.walker.importKwh;
    registers[REGISTER.export] += this.walker.exportKwh;
    return registers;
  }

  /** What stands in the registers where the last law ended. */
  get closedRegisters(): Float64Array {
    return this.registers.closed;
  }

  /** Goes on with a law that began at an instant, with registers and book as they were then. */
  resume(lawBeganMs: EpochMs): void {
    this.trajectoryStartMs = lawBeganMs;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return;
    // What nobody has read before need not be kept apart from what was closed.
    if (this.registers.cachedAt(atMs) === null) this.addSince(fromMs, atMs, this.registers.closed);
    else this.registers.closeLatest();
    this.walker.restart();
    this.trajectoryStartMs = atMs;
    this.batteryRegisters.integrate(fromMs, atMs);
  }
}
