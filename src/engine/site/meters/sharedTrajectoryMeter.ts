import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import { MeterRegisters } from "./meterRegisters.ts";
import {
  type MeteredSite,
  NO_BATTERIES,
  newTrajectoryEnergy,
  type ResourceMeter,
  type TrajectoryEnergy,
} from "./resourceMeter.ts";

/** The meter of a plant or load whose trajectory other sites may share. */
export abstract class SharedTrajectoryMeter<S extends MeteredSite> extends Copyable implements ResourceMeter<S> {
  readonly site: S;
  readonly batteries = NO_BATTERIES;
  protected trajectoryStartMs: EpochMs;
  private readonly registers: MeterRegisters;
  /** Reused for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  /** @param from  registers at the start; `null`: all 0 */
  constructor(site: S, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.trajectoryStartMs = startMs;
    this.registers = new MeterRegisters(from);
  }

  /** Computes the energy of the present trajectory up to an instant after its start. @param energy  output */
  protected abstract measure(atMs: EpochMs, energy: TrajectoryEnergy): void;

  /** Adds the energy of a trajectory to registers and returns them. */
  protected abstract addEnergy(energy: TrajectoryEnergy, registers: Float64Array): Float64Array;

  /** Sets the sums of `measure` to 0 at the start of a trajectory. */
  protected abstract restart(atMs: EpochMs): void;

  read(atMs: EpochMs): Float64Array {
    if (atMs <= this.trajectoryStartMs) return this.registers.closed;
    const cached = this.registers.cachedAt(atMs);
    if (cached !== null) return cached;
    this.measure(atMs, this.trajectoryEnergy);
    return this.addEnergy(this.trajectoryEnergy, this.registers.beginReading(atMs));
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    // A cached reading at this instant means that `trajectoryEnergy` is up to date.
    if (this.registers.cachedAt(atMs) === null) this.measure(atMs, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  /** As `close`, after the start of the trajectory. @param energy  output: energy of the trajectory */
  closeAndMeasure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.measure(atMs, energy);
    this.closeWithEnergy(atMs, energy);
  }

  /** As `close`, with the energy of an equal trajectory. */
  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.registers.closed);
    this.trajectoryStartMs = atMs;
    this.restart(atMs);
  }
}
