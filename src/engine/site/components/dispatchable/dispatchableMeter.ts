import { Copyable } from "../../../../base/copyState.ts";
import type { EpochMs } from "../../../../base/time.ts";
import { REGISTER } from "../../meters/energyRegisters.ts";
import { baselineKwh, MeterRegisters } from "../../meters/meterRegisters.ts";
import { type MeteredSite, NO_BATTERIES, type ResourceMeter } from "../../meters/resourceMeter.ts";
import { TrajectoryWalker } from "../../meters/trajectoryWalker.ts";
import type { DispatchableComponent } from "./dispatchableComponent.ts";

/** Meter of a component that follows set-points as far as it can: none of its energy is curtailed. */
export class DispatchableMeter<S extends MeteredSite> extends Copyable implements ResourceMeter<S> {
  readonly site: S;
  readonly batteries = NO_BATTERIES;
  private readonly component: Pick<DispatchableComponent, "trajectory">;
  private readonly registers: MeterRegisters;
  private readonly walker = new TrajectoryWalker();
  private trajectoryStartMs: EpochMs;

  constructor(
    site: S,
    component: Pick<DispatchableComponent, "trajectory">,
    startMs: EpochMs,
    from: Float64Array | null,
  ) {
    super();
    this.site = site;
    this.registers = new MeterRegisters(from);
    this.component = component;
    this.trajectoryStartMs = startMs;
  }

  read(atMs: EpochMs): Float64Array {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return this.registers.closed;
    return this.registers.cachedAt(atMs) ?? this.addSince(fromMs, atMs, this.registers.beginReading(atMs));
  }

  private addSince(fromMs: EpochMs, atMs: EpochMs, registers: Float64Array): Float64Array {
    const { trajectory } = this.component;
    registers[REGISTER.baseline] += baselineKwh(this.site, fromMs, atMs);
    this.walker.read(trajectory, fromMs, atMs);
    registers[REGISTER.import] += this.walker.importKwh;
    registers[REGISTER.export] += this.walker.exportKwh;
    return registers;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    if (this.registers.cachedAt(atMs) === null) this.addSince(this.trajectoryStartMs, atMs, this.registers.closed);
    else this.registers.closeLatest();
    this.walker.restart();
    this.trajectoryStartMs = atMs;
  }
}
