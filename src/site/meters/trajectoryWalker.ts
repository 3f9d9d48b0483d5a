import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Trajectory } from "../../device/curve/trajectory.ts";

/** Laws of fewer stretches are asked for their integrals as they are. */
const LONG_TRAJECTORY_SEGMENTS = 8;

/**
 * Import and export of one law from its start on, read at later and later instants: whole stretches are added up once,
 * in order, so that a sum does not depend on when it was read.
 */
export class TrajectoryWalker extends Copyable {
  /** Since the law's start, where it was read last. */
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

  /** Fills `importKwh` and `exportKwh` from a law's start, or a later reading, on. */
  read(law: Trajectory, fromMs: EpochMs, atMs: EpochMs): void {
    // Frequency response makes a stretch a second.
    if (LONG_TRAJECTORY_SEGMENTS < law.count && fromMs === law.originMs) this.walkSegments(law, atMs);
    else {
      this.importKwh = law.importKwh(fromMs, atMs);
      this.exportKwh = law.exportKwh(fromMs, atMs);
    }
  }

  private walkSegments(law: Trajectory, atMs: EpochMs): void {
    const { count } = law;
    const untilMs = atMs - law.originMs;
    let k = this.segmentIndex;
    let importKwMs = this.completedImportKwMs;
    let exportKwMs = this.completedExportKwMs;
    for (; k + 1 < count && law.afterMsOf(k + 1) <= untilMs; k++) {
      if (law.slopeKwPerMsOf(k) === 0 && law.expKwOf(k) === 0) {
        const kwMs = law.constKwOf(k) * (law.afterMsOf(k + 1) - law.afterMsOf(k));
        if (0 < kwMs) importKwMs += kwMs;
        else exportKwMs -= kwMs;
      } else {
        importKwMs += law.importKwh(law.startMsOf(k), law.startMsOf(k + 1)) * MS_PER_HOUR;
        exportKwMs += law.exportKwh(law.startMsOf(k), law.startMsOf(k + 1)) * MS_PER_HOUR;
      }
    }
    this.segmentIndex = k;
    this.completedImportKwMs = importKwMs;
    this.completedExportKwMs = exportKwMs;
    this.importKwh = importKwMs / MS_PER_HOUR;
    this.exportKwh = exportKwMs / MS_PER_HOUR;
    if (untilMs <= law.afterMsOf(k)) return;
    this.importKwh += law.importKwh(law.startMsOf(k), atMs);
    this.exportKwh += law.exportKwh(law.startMsOf(k), atMs);
  }
}
