import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import { REGISTER, REGISTER_COUNT } from "./energyRegisters.ts";
import { baselineKwh, curtailmentRegister } from "./meterRegisters.ts";
import {
  type MeteredSite,
  NO_BATTERIES,
  newTrajectoryEnergy,
  type ResourceMeter,
  type TrajectoryEnergy,
} from "./resourceMeter.ts";

/** The meter of a site with one component: registers up to the present trajectory, and its energy, which other sites may share. */
export abstract class ComponentMeter<S extends MeteredSite> extends Copyable implements ResourceMeter<S> {
  readonly site: S;
  readonly batteries = NO_BATTERIES;
  countsBaseline = true;
  protected trajectoryStartMs: EpochMs;
  /** Registers up to the start of the present trajectory. */
  private readonly closed = new Float64Array(REGISTER_COUNT);
  /** The last reading: a trajectory mostly ends where a record does, so that one reading serves both. */
  private readonly reading = new Float64Array(REGISTER_COUNT);
  private readMs: EpochMs = Number.NaN;
  /** Reused for each reading. */
  private readonly trajectoryEnergy = newTrajectoryEnergy();

  /** @param from  registers at the start; `null`: all 0 */
  constructor(site: S, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.trajectoryStartMs = startMs;
    if (from !== null) this.closed.set(from);
  }

  /** Sets the energy of the present trajectory up to an instant after its start. @param energy  output, at 0 but for the baseline */
  protected abstract measure(atMs: EpochMs, energy: TrajectoryEnergy): void;

  /** Sets the sums of `measure` to 0 at the start of a trajectory. */
  protected abstract restart(atMs: EpochMs): void;

  read(atMs: EpochMs): Float64Array {
    const { closed, reading } = this;
    if (atMs <= this.trajectoryStartMs) return closed;
    if (atMs === this.readMs) return reading;
    this.readMs = atMs;
    this.measureAll(atMs, this.trajectoryEnergy);
    for (let k = 0; k < REGISTER_COUNT; k++) reading[k] = closed[k];
    return this.addEnergy(this.trajectoryEnergy, reading);
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.trajectoryStartMs) return;
    // After a reading at this instant, `trajectoryEnergy` is up to date.
    if (atMs !== this.readMs) this.measureAll(atMs, this.trajectoryEnergy);
    this.closeWithEnergy(atMs, this.trajectoryEnergy);
  }

  /** As `close`, after the start of the trajectory. @param energy  output: energy of the trajectory */
  closeAndMeasure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.measureAll(atMs, energy);
    this.closeWithEnergy(atMs, energy);
  }

  /** As `close`, with the energy of an equal trajectory. */
  closeWithEnergy(atMs: EpochMs, energy: TrajectoryEnergy): void {
    this.addEnergy(energy, this.closed);
    this.trajectoryStartMs = atMs;
    this.restart(atMs);
  }

  private measureAll(atMs: EpochMs, energy: TrajectoryEnergy): void {
    energy.baselineKwh = this.countsBaseline ? baselineKwh(this.site, this.trajectoryStartMs, atMs) : 0;
    energy.importKwh = 0;
    energy.exportKwh = 0;
    energy.outputControlledKwh = 0;
    energy.manuallyCurtailedKwh = 0;
    energy.drDeliveredKwh = 0;
    this.measure(atMs, energy);
  }

  private addEnergy(energy: TrajectoryEnergy, registers: Float64Array): Float64Array {
    registers[REGISTER.baseline] += energy.baselineKwh;
    registers[REGISTER.import] += energy.importKwh;
    registers[REGISTER.export] += energy.exportKwh;
    if (energy.outputControlledKwh !== 0) registers[curtailmentRegister(this.site)] += energy.outputControlledKwh;
    registers[REGISTER.manualCurtailed] += energy.manuallyCurtailedKwh;
    registers[REGISTER.drDelivered] += energy.drDeliveredKwh;
    return registers;
  }
}
