import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";

/** Trajectories of fewer segments are integrated from their start each time. */
const LONG_TRAJECTORY_SEGMENTS = 8;

/**
 * Import and export of one trajectory from its start, read at increasing instants: each whole segment is added once, in order, so
 * that a sum does not depend on when it was read.
 */
export class TrajectoryWalker extends Copyable {
  /** From the start of the trajectory to the last reading, in kWh. */
  importKwh = 0;
  exportKwh = 0;
  private segmentIndex = 0;
  private completedImportKwMs = 0;
  private completedExportKwMs = 0;

  restart(): void {
    this.segmentIndex = 0;
    this.completedImportKwMs = 0;
    this.completedExportKwMs = 0;
  }

  /** Sets `importKwh` and `exportKwh` to the energy between two instants; `fromMs` is the start of the trajectory or a later reading. */
  read(trajectory: Trajectory, fromMs: EpochMs, atMs: EpochMs): void {
    // Frequency response makes a segment a second.
    if (LONG_TRAJECTORY_SEGMENTS < trajectory.count && fromMs === trajectory.originMs)
      this.walkSegments(trajectory, atMs);
    else {
      this.importKwh = trajectory.importKwh(fromMs, atMs);
      this.exportKwh = trajectory.exportKwh(fromMs, atMs);
    }
  }

  private walkSegments(trajectory: Trajectory, atMs: EpochMs): void {
    const { count } = trajectory;
    const untilMs = atMs - trajectory.originMs;
    let k = this.segmentIndex;
    let importKwMs = this.completedImportKwMs;
    let exportKwMs = this.completedExportKwMs;
    for (; k + 1 < count && trajectory.afterMsOf(k + 1) <= untilMs; k++) {
      if (trajectory.slopeKwPerMsOf(k) === 0 && trajectory.expKwOf(k) === 0) {
        const kwMs = trajectory.constKwOf(k) * (trajectory.afterMsOf(k + 1) - trajectory.afterMsOf(k));
        if (0 < kwMs) importKwMs += kwMs;
        else exportKwMs -= kwMs;
      } else {
        importKwMs += trajectory.importKwh(trajectory.startMsOf(k), trajectory.startMsOf(k + 1)) * MS_PER_HOUR;
        exportKwMs += trajectory.exportKwh(trajectory.startMsOf(k), trajectory.startMsOf(k + 1)) * MS_PER_HOUR;
      }
    }
    this.segmentIndex = k;
    this.completedImportKwMs = importKwMs;
    this.completedExportKwMs = exportKwMs;
    this.importKwh = importKwMs / MS_PER_HOUR;
    this.exportKwh = exportKwMs / MS_PER_HOUR;
    if (untilMs <= trajectory.afterMsOf(k)) return;
    this.importKwh += trajectory.importKwh(trajectory.startMsOf(k), atMs);
    this.exportKwh += trajectory.exportKwh(trajectory.startMsOf(k), atMs);
  }
}
