import type { EpochMs } from "../base/time.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import { World, type WorldOptions } from "../world/world.ts";
import type { WorldSpec } from "../world/worldSpec.ts";
import { Recorder, type RecordOptions } from "./recorder.ts";
import type { RunRecord } from "./runRecord.ts";

/** How machines are stepped (both ways give the same record), and who answers `request` events. */
export interface RunOptions extends RecordOptions, WorldOptions {}

/** A world on its way through a run, a slice at a time, so that its host can show progress or stop it in between. */
export class Run {
  private readonly spec: WorldSpec;
  private readonly recorder: Recorder;
  private readonly world: World;

  constructor(spec: WorldSpec, options: RunOptions) {
    this.spec = spec;
    this.recorder = new Recorder(spec, options);
    // Only callers look at what has ended.
    this.world = new World(spec, this.recorder, { endedAreForgotten: options.answer === undefined, ...options });
  }

  get eventCount(): number {
    return this.world.eventCount;
  }

  /** Advances to a share of the period, 0..1, not below the last one; where it is cut does not show in any result. */
  advanceTo(share: number): void {
    const { startMs, endMs } = this.spec;
    this.world.runBefore(Math.floor(startMs + (endMs - startMs) * share));
  }

  /** Advances to an instant, not before the last one, and stops before what is due there. */
  advanceUntil(atMs: EpochMs): void {
    this.world.runBefore(atMs);
  }

  /** From now on each VPP has these options, and its members these weights, from their next instruction on. */
  adopt(vpps: readonly VppSpec[]): void {
    this.world.adopt(vpps);
  }

  /** Closes the books; the run must have been advanced to 1. */
  finish(): RunRecord {
    return this.recorder.finish();
  }
}

/** Runs a world from its start to its end and folds what happens into a record. */
export function runWorld(spec: WorldSpec, options: RunOptions): RunRecord & { readonly eventCount: number } {
  const run = new Run(spec, options);
  run.advanceTo(1);
  return { ...run.finish(), eventCount: run.eventCount };
}
