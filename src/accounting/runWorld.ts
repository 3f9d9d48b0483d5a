import { assert } from "../base/assert.ts";
import { Copyable, copyState, reachableValues } from "../base/copyState.ts";
import type { EpochMs } from "../base/time.ts";
import { MachineStepper } from "../kernel/stepper.ts";
import { Series } from "../series/model/series.ts";
import { AwardRegistrations } from "../simulation/awardRegistrations.ts";
import { World, type WorldOptions } from "../simulation/world.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import type { VppSpec } from "../vpp/vppSpec.ts";
import { hasTableSinks, type RecordingOptions, RunRecorder, recordsKeyFiguresOnly } from "./recorders/runRecorder.ts";
import type { RunRecord } from "./runRecord.ts";
import { AwardCatalogue } from "./settlement/awardFigures.ts";

/** How machines are stepped (both ways give the same record), and who answers `request` events. */
export interface RunOptions extends RecordingOptions, WorldOptions {}

/** A world on its way through a run, a slice at a time, so that its host can show progress or stop it in between. */
export class SimulationRun extends Copyable {
  private readonly spec: WorldSpec;
  private readonly options: RunOptions;
  private readonly recorder: RunRecorder;
  private readonly world: World;

  constructor(spec: WorldSpec, options: RunOptions) {
    super();
    this.spec = spec;
    // Only callers look at what has ended.
    this.options = { canDiscardEnded: options.answer === undefined, ...options };
    const recorder = new RunRecorder(spec, this.options);
    // A caller that answers requests reads single sites, which a batch does not keep up to date.
    const isBatched = recordsKeyFiguresOnly(options) && options.answer === undefined;
    this.recorder = recorder;
    this.world = new World(spec, recorder, this.options, isBatched ? () => recorder.createBatchLedger() : null);
  }

  get eventCount(): number {
    return this.world.eventCount;
  }

  /** Advances to a share of the period, 0..1, not below the last one; where it is cut does not show in any result. */
  advanceToShare(share: number): void {
    const { startMs, endMs } = this.spec;
    this.world.runBefore(Math.floor(startMs + (endMs - startMs) * share));
  }

  /** Advances to an instant, not before the last one, and stops before what is due there. */
  advanceUntil(atMs: EpochMs): void {
    this.world.runBefore(atMs);
  }

  /** From now on each VPP has these options, and its members these weights, from their next instruction on. */
  adoptVppSpecs(vpps: readonly VppSpec[]): void {
    this.world.adoptVppSpecs(vpps);
  }

  /**
   * A run that goes on from here by itself, as this one does: neither notices the other. Only of a run that writes no
   * tables, as two cannot write one.
   *
   * @param input  of `immutableInputsOf` this run's spec; worth keeping where several runs of one input are copied
   */
  copy(input: ReadonlySet<unknown> = immutableInputsOf(this.spec)): SimulationRun {
    const { spec, options } = this;
    assert(!hasTableSinks(options), "a run that writes tables has no copy");
    const { answer } = options;
    return copyState(
      this,
      (value) =>
        !(value instanceof Copyable) &&
        (input.has(value) || IMMUTABLE_CLASSES.has(value.constructor) || value === spec || value === answer),
    );
  }

  /** Closes the books; the run must have been advanced to 1. */
  finish(): RunRecord {
    return this.recorder.finish();
  }
}

/** Everything that a run is given and never changes: what `Run.copy` shares. Good for all seeds of one world. */
export const immutableInputsOf = (spec: WorldSpec): ReadonlySet<unknown> => reachableValues(Object.values(spec));

/** What runs share although they are made on the way: functions of the input, and tables of the program. */
const IMMUTABLE_CLASSES: ReadonlySet<unknown> = new Set([Series, MachineStepper, AwardCatalogue, AwardRegistrations]);

/** Runs a world from its start to its end and folds what happens into a record. */
export function runWorld(spec: WorldSpec, options: RunOptions): RunRecord & { readonly eventCount: number } {
  const run = new SimulationRun(spec, options);
  run.advanceToShare(1);
  return { ...run.finish(), eventCount: run.eventCount };
}
