import { assert } from "../base/assert.ts";
import { Copyable, copyState, reachableValues } from "../base/copyState.ts";
import type { EpochMs } from "../base/time.ts";
import { MachineStepper } from "../engine/kernel/stepper.ts";
import { Series } from "../engine/series/model/series.ts";
import { AwardRegistrations, World, type WorldOptions } from "../engine/simulation/world.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { VppSpec } from "../engine/vpp/vppSpec.ts";
import { hasTableSinks, type RecordingOptions, RunRecorder } from "./recorders/runRecorder.ts";
import type { PartRecord } from "./recordOfParts.ts";
import type { RunRecord } from "./runRecord.ts";
import { AwardCatalogue } from "./settlement/awardFigures.ts";

/** Recording, the state-machine implementation (both give the same record), and the handler of `request` events. */
export interface RunOptions extends RecordingOptions, WorldOptions {}

/** A run that its host advances slice by slice, for progress display and for stopping in between. */
export class SimulationRun extends Copyable {
  private readonly spec: WorldSpec;
  private readonly options: RunOptions;
  private readonly recorder: RunRecorder;
  private readonly world: World;

  constructor(spec: WorldSpec, options: RunOptions) {
    super();
    this.spec = spec;
    // Only API callers read instructions that have ended, and they and the causes the limits of capabilities.
    const isUnread = options.answer === undefined;
    const recordsLimits = !isUnread || options.causes !== false;
    this.options = { canDiscardEnded: isUnread, recordsLimits, ...options };
    const recorder = new RunRecorder(spec, this.options);
    this.recorder = recorder;
    this.world = new World(spec, recorder, this.options);
  }

  get eventCount(): number {
    return this.world.eventCount;
  }

  /**
   * Advances to a share of the period, 0..1, not below the previous one. The choice of slices has no effect on results.
   */
  advanceToShare(share: number): void {
    const { startMs, endMs } = this.spec;
    this.world.runBefore(Math.floor(startMs + (endMs - startMs) * share));
  }

  /** Advances to an instant, not before the previous one, and stops before the events of that instant. */
  advanceUntil(atMs: EpochMs): void {
    this.world.runBefore(atMs);
  }

  /** Sets the VPPs' options and their members' weights, effective from each VPP's next instruction. */
  adoptVppSpecs(vpps: readonly VppSpec[]): void {
    this.world.adoptVppSpecs(vpps);
  }

  /**
   * An independent run that continues from the present state. A run that writes tables has no copy, because two runs
   * cannot write one table.
   *
   * @param input  `immutableInputsOf` this run's spec; compute it once if several runs of one input are copied
   */
  copy(input: ReadonlySet<unknown> = immutableInputsOf(this.spec)): SimulationRun {
    const { spec, options } = this;
    assert(!hasTableSinks(options), "a run that writes tables has no copy");
    const { answer } = options;
    return copyState(this, (value) => value === answer || isSharedByCopies(value, spec, input));
  }

  /** Passes all rows up to now to the tables, except those of the events. */
  flushTables(): void {
    this.recorder.flushTables();
  }

  /** As `finish`, for a part of a world. */
  close(): PartRecord {
    return this.recorder.close();
  }

  /** Closes all accounts; the run must have been advanced to 1. */
  finish(): RunRecord {
    return this.recorder.finish();
  }
}

/** All input of a run, none of which it changes: `SimulationRun.copy` shares it. Valid for all seeds of one world. */
export const immutableInputsOf = (spec: WorldSpec): ReadonlySet<unknown> => reachableValues(Object.values(spec));

/** Whether a copy of a run shares a value, which no run changes. @param input  `immutableInputsOf` its spec */
export const isSharedByCopies = (value: object, spec: WorldSpec, input: ReadonlySet<unknown>): boolean =>
  !(value instanceof Copyable) && (input.has(value) || IMMUTABLE_CLASSES.has(value.constructor) || value === spec);

/**
 * Classes whose instances copies share although the run creates them: functions of the input, and tables of the
 * program.
 */
const IMMUTABLE_CLASSES: ReadonlySet<unknown> = new Set([Series, MachineStepper, AwardCatalogue, AwardRegistrations]);
