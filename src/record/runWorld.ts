import type { StepEngine } from "../kernel/step.ts";
import { World } from "../world/world.ts";
import type { WorldSpec } from "../world/worldSpec.ts";
import { Recorder, type RecordOptions } from "./recorder.ts";
import type { RunRecord } from "./runRecord.ts";

export interface RunOptions extends RecordOptions {
  /** How machines are stepped; both give the same record. Default: the compiled table. */
  readonly engine?: StepEngine;
  /** Told how far the run is, 0..1, at most `PROGRESS_STEPS` times. Return false to stop. */
  readonly onProgress?: (done: number) => boolean;
}

/** A run that was stopped by its caller before its end. */
export class RunStopped extends Error {
  override name = "RunStopped";
}

const PROGRESS_STEPS = 200;

/** Runs a world from its start to its end and folds what happens into a record. */
export function runWorld(spec: WorldSpec, options: RunOptions): RunRecord & { readonly eventCount: number } {
  const recorder = new Recorder(spec, options);
  const world = new World(spec, recorder, options.engine === undefined ? {} : { engine: options.engine });
  const steps = options.onProgress === undefined ? 1 : PROGRESS_STEPS;
  for (let step = 1; step <= steps; step++) {
    world.runBefore(Math.floor(spec.startMs + ((spec.endMs - spec.startMs) * step) / steps));
    if (options.onProgress?.(step / steps) === false) throw new RunStopped("the run was stopped before its end");
  }
  return { ...recorder.finish(), eventCount: world.eventCount };
}
