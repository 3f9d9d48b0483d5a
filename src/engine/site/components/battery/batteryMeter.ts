import { type EpochMs, MS_PER_HOUR } from "../../../../base/time.ts";
import { BatteryRegisters } from "../../meters/batteryRegisters.ts";
import { REGISTER, REGISTER_COUNT } from "../../meters/energyRegisters.ts";
import { baselineKwh } from "../../meters/meterRegisters.ts";
import type { MeteredSite, ResourceMeter } from "../../meters/resourceMeter.ts";
import { TrajectoryWalker } from "../../meters/trajectoryWalker.ts";
import type { BatteryComponent } from "./batteryComponent.ts";

/** Meter of a site with a battery alone; also has the registers of the battery, so that an award closes one object. */
export class BatteryMeter<S extends MeteredSite> extends BatteryRegisters implements ResourceMeter<S> {
  readonly site: S;
  override readonly component: BatteryComponent;
  readonly batteries: readonly BatteryRegisters[] = [this];
  countsBaseline = true;
  /** Registers up to the start of the present trajectory. */
  private readonly closed = new Float64Array(REGISTER_COUNT);
  private trajectoryStartMs: EpochMs;
  /** The last reading, and when it was taken; NaN after the end of its trajectory. */
  private readonly reading = new Float64Array(REGISTER_COUNT);
  private readMs: EpochMs = Number.NaN;
  private readonly walker = new TrajectoryWalker();

  /** @param from  registers at the start; `null`: all 0 */
  constructor(site: S, component: BatteryComponent, startMs: EpochMs, from: Float64Array | null) {
    super(component);
    this.site = site;
    this.component = component;
    this.trajectoryStartMs = startMs;
    if (from !== null) this.closed.set(from);
  }

  read(atMs: EpochMs): Float64Array {
    const { reading, closed } = this;
    if (atMs === this.readMs) return reading;
    copyRegisters(closed, reading);
    if (this.trajectoryStartMs < atMs) this.addTo(reading, atMs);
    this.readMs = atMs;
    return reading;
  }

  close(atMs: EpochMs): void {
    const fromMs = this.trajectoryStartMs;
    if (atMs <= fromMs) return;
    if (atMs === this.readMs) copyRegisters(this.reading, this.closed);
    else this.addTo(this.closed, atMs);
    this.walker.restart();
    this.trajectoryStartMs = atMs;
    this.readMs = Number.NaN;
    this.integrate(fromMs, atMs);
  }

  /** Adds the energy of the present trajectory until an instant to registers. */
  private addTo(registers: Float64Array, atMs: EpochMs): void {
    const { store: flow } = this.component;
    const { record } = this.site;
    const fromMs = this.trajectoryStartMs;
    const spanMs = atMs - fromMs;
    if (this.countsBaseline)
      registers[REGISTER.baseline] +=
        record.order === null ? baselineKwh(this.site, fromMs, atMs) : (record.baselineKw * spanMs) / MS_PER_HOUR;
    if (!flow.hasFlow || flow.startMs !== fromMs) {
      this.walker.read(this.component.trajectory, fromMs, atMs);
      registers[REGISTER.import] += this.walker.importKwh;
      registers[REGISTER.export] += this.walker.exportKwh;
    } else if (flow.boundMs < atMs) {
      const idleKwMs = flow.auxiliaryKw * (spanMs - flow.boundAfterMs);
      const kwMs = flow.kw * flow.boundAfterMs;
      registers[REGISTER.import] += ((0 < kwMs ? kwMs : 0) + idleKwMs) / MS_PER_HOUR;
      registers[REGISTER.export] += (kwMs < 0 ? -kwMs : 0) / MS_PER_HOUR;
    } else {
      const kwh = (flow.kw * spanMs) / MS_PER_HOUR;
      if (kwh > 0) registers[REGISTER.import] += kwh;
      else registers[REGISTER.export] -= kwh;
    }
  }
}

/** Copies the registers of a battery; the others are 0. */
function copyRegisters(from: Float64Array, to: Float64Array): void {
  to[REGISTER.import] = from[REGISTER.import];
  to[REGISTER.export] = from[REGISTER.export];
  to[REGISTER.baseline] = from[REGISTER.baseline];
}
