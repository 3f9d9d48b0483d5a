import { assert } from "../../base/assert.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import { computeSumRegisters, registerCount } from "../meters/componentRegisters.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import { createMeter } from "../meters/siteLedger.ts";
import type { TrajectoryLog } from "./trajectoryLog.ts";

/**
 * A separate `Site` that can be set to any trajectory of the log, so that every query of a running site also works for
 * the past. Each reader has its own.
 */
export class PastSite {
  /** The site as set by the last call of `seek` or `registersAt`; no simulation advances it. */
  readonly site: Site;
  private readonly trajectoryLog: TrajectoryLog;
  /** The trajectory begun at the present instant, if the log does not have it yet. */
  private readonly presentLog: TrajectoryLog | null;
  private trajectoryIndex = -1;
  /** Period of the restored trajectory. */
  private trajectoryFromMs: EpochMs = Number.NaN;
  private trajectoryUntilMs: EpochMs = Number.NaN;
  private meter: SiteMeter | null = null;

  constructor(site: Site, log: TrajectoryLog, presentLog: TrajectoryLog | null) {
    this.site = site;
    this.trajectoryLog = log;
    this.presentLog = presentLog;
  }

  /**
   * Restores the trajectory in force at an instant.
   *
   * @returns false before the first trajectory of the log
   */
  seek(atMs: EpochMs): boolean {
    const { presentLog } = this;
    if (presentLog !== null && presentLog.startMs(0) <= atMs) {
      this.restorePresent(presentLog);
      return true;
    }
    if (this.trajectoryFromMs <= atMs && atMs < this.trajectoryUntilMs) return true;
    this.meter = null;
    // Readers move forward: mostly the next trajectory is wanted.
    const next = this.trajectoryIndex + 1;
    const isNext = this.trajectoryUntilMs <= atMs && next < this.trajectoryLog.endIndex && atMs < this.endMs(next);
    const index = isNext ? next : this.trajectoryLog.indexAt(atMs);
    if (index < 0) {
      this.trajectoryFromMs = Number.NaN;
      return false;
    }
    this.restore(index);
    return true;
  }

  /**
   * Restores the present trajectory, for a reader that is older than it.
   *
   * @param presentLog  as for the constructor
   */
  seekPresent(nowMs: EpochMs, presentLog: TrajectoryLog | null): void {
    this.trajectoryFromMs = Number.NaN;
    this.trajectoryUntilMs = Number.NaN;
    if (presentLog !== null) this.restorePresent(presentLog);
    else this.seek(nowMs);
  }

  /** Start of the restored trajectory, since when set-point and service status are unchanged. */
  get trajectoryStartMs(): EpochMs {
    return this.trajectoryFromMs;
  }

  /**
   * The energy registers at an instant, equal to those of the running site's meter. The array is reused by the next
   * call.
   */
  registersAt(atMs: EpochMs): Float64Array {
    const log = this.trajectoryLog;
    // The log is empty until time first moves.
    if (log.endIndex === log.firstIndex) return new Float64Array(registerCount(this.site));
    let meter = this.meter;
    // A distant instant is reached from the nearest stored registers, not trajectory by trajectory.
    if (
      meter === null ||
      atMs < this.trajectoryFromMs ||
      (this.trajectoryUntilMs <= atMs && this.trajectoryIndex < log.chunkStartIndex(log.indexAt(atMs)))
    ) {
      const index = log.chunkStartIndex(Math.max(log.indexAt(atMs), log.firstIndex));
      this.restore(index);
      meter = createMeter(this.site, this.trajectoryFromMs, log.registersAt(index));
      this.meter = meter;
    }
    while (this.trajectoryUntilMs <= atMs) {
      meter.close(this.trajectoryUntilMs);
      this.restore(this.trajectoryIndex + 1);
    }
    return meter.read(atMs);
  }

  private restore(index: number): void {
    const log = this.trajectoryLog;
    assert(log.firstIndex <= index && index < log.endIndex, "a restored trajectory is in the log");
    this.site.restore(log.snapshotAt(index));
    this.trajectoryIndex = index;
    this.trajectoryFromMs = log.startMs(index);
    this.trajectoryUntilMs = this.endMs(index);
  }

  private restorePresent(presentLog: TrajectoryLog): void {
    this.meter = null;
    this.site.restore(presentLog.snapshotAt(0));
    this.trajectoryFromMs = presentLog.startMs(0);
    this.trajectoryUntilMs = Number.POSITIVE_INFINITY;
  }

  private endMs(index: number): EpochMs {
    return index + 1 < this.trajectoryLog.endIndex ? this.trajectoryLog.startMs(index + 1) : Number.POSITIVE_INFINITY;
  }
}

/**
 * Energy of one site between consecutive instants: for each register the rounded value at the end less the rounded
 * value at the start, so that the intervals of any division sum to the whole
 * (docs/model/accounting.md#energy-registers).
 */
export class RegisterReader {
  /**
   * Energy of the last interval by register (`REGISTER`; several components: `SUM_REGISTER`, `COMPONENT_REGISTER`), in
   * whole units of 1 / `scale` kWh.
   */
  readonly values: Float64Array;
  private readonly pastSite: PastSite;
  private readonly unitsPerKwh: number;
  private readonly roundedRegisters: Float64Array;

  /** @param scale  units per kWh: 10 for one decimal, 1000 for three */
  constructor(pastSite: PastSite, scale: number, fromMs: EpochMs) {
    this.pastSite = pastSite;
    this.unitsPerKwh = scale;
    const count = registerCount(pastSite.site);
    this.values = new Float64Array(count);
    this.roundedRegisters = new Float64Array(count);
    this.advanceTo(fromMs);
  }

  /** Sets `values` to the energy since the last instant. */
  advanceTo(atMs: EpochMs): void {
    const registers = this.pastSite.registersAt(atMs);
    for (let k = 0; k < registers.length; k++) {
      // All registers but the baseline's rise from 0; the baseline's can be negative.
      const units = registers[k] * this.unitsPerKwh;
      const rounded = Math.sign(units) * Math.round(Math.abs(units));
      this.values[k] = rounded - this.roundedRegisters[k];
      this.roundedRegisters[k] = rounded;
    }
    computeSumRegisters(this.pastSite.site, this.values);
  }
}
