import { KPI_NAMES } from "../../accounting/kpis/kpis.ts";
import { type RunOptions, SimulationRun } from "../../accounting/runWorld.ts";
import type { EpochMs } from "../../base/time.ts";
import { createRequestHandler } from "../../report/createRequestHandler.ts";
import { buildWorld } from "../../scenario/loadScenario.ts";
import { InputErrors } from "../../scenario/parse/inputError.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { type WorldSpec, withSeed } from "../../simulation/worldSpec.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import { ForkedRuns, patchedVpps } from "./fork.ts";

/** What one run of one candidate gave: its figures in the order of `KPI_NAMES`, or why the scenario refuses it. */
export type Outcome =
  | { readonly kpis: readonly (number | null)[]; readonly refusal: null }
  | { readonly kpis: null; readonly refusal: string };

/** Nothing but the key figures: no table, no timeline. */
const KPIS_ONLY_OPTIONS: RunOptions = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Of a run of 8 s (a year of 1,000 members) each takes half a second. */
const SLICES_MAX = 16;
/** Events of a slice, at least: some milliseconds. Runs of fewer are not cut, as slices would take a tenth of them. */
const SLICE_EVENTS_MIN = 4000;

const outcomeOf = (run: SimulationRun): Outcome => {
  const { kpis } = run.finish();
  return { kpis: KPI_NAMES.map((name) => kpis.get(name) ?? null), refusal: null };
};

/** Runs candidates of one scenario; what they share is read and worked out once. */
export class Evaluator {
  readonly #source: ScenarioSource;
  readonly #options: RunOptions;
  /** `null`: candidates differ from the start of the run on. */
  readonly #fork: ForkedRuns | null;
  /** As many as the run before was long; which shows in no result. */
  #slices = SLICES_MAX;
  #patchKey: string | null = null;
  #world: WorldSpec | string = "";

  private constructor(source: ScenarioSource, options: RunOptions, fork: ForkedRuns | null) {
    this.#source = source;
    this.#options = options;
    this.#fork = fork;
  }

  static async open(source: ScenarioSource, forkAtMs: EpochMs | null): Promise<Evaluator> {
    // What no candidate changes is kept from this build of the scenario as written.
    const written = buildWorld(source);
    const options = { ...KPIS_ONLY_OPTIONS, ...(await createRequestHandler(written)) };
    return new Evaluator(source, options, forkAtMs === null ? null : new ForkedRuns(written, forkAtMs, options));
  }

  run(patch: ParameterPatch, seed: number): Outcome {
    const run = this.#prepareRun(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    run.advanceToShare(1);
    return outcomeOf(run);
  }

  /** The same with pauses, in which its host may hear what is said to it. */
  *slices(patch: ParameterPatch, seed: number): Generator<null, Outcome> {
    const run = this.#prepareRun(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    const begun = this.#fork?.elapsedShare ?? 0;
    const slices = this.#slices;
    for (let slice = 1; slice <= slices; slice++) {
      run.advanceToShare(begun + ((1 - begun) * slice) / slices);
      yield null;
    }
    this.#slices = Math.min(SLICES_MAX, Math.max(1, Math.round(run.eventCount / SLICE_EVENTS_MIN)));
    return outcomeOf(run);
  }

  #prepareRun(patch: ParameterPatch, seed: number): SimulationRun | string {
    return this.#fork === null ? this.#startRun(patch, seed) : this.#runFromFork(this.#fork, patch, seed);
  }

  /** The seeds of a candidate follow each other: its world is built for the first of them. */
  #startRun(patch: ParameterPatch, seed: number): SimulationRun | string {
    const key = JSON.stringify(patch);
    if (key !== this.#patchKey) {
      this.#patchKey = key;
      this.#world = this.#build(patch);
    }
    return typeof this.#world === "string"
      ? this.#world
      : new SimulationRun(withSeed(this.#world, seed), this.#options);
  }

  /** The candidates of a seed follow each other, and come again on the next one. */
  #runFromFork(fork: ForkedRuns, patch: ParameterPatch, seed: number): SimulationRun | string {
    const vpps = fork.resolveVpps(patch, () => {
      const world = this.#build(patch);
      return typeof world === "string" ? world : patchedVpps(patch, world);
    });
    return typeof vpps === "string" ? vpps : fork.runFromFork(vpps, seed);
  }

  #build(patch: ParameterPatch): WorldSpec | string {
    try {
      return buildWorld(this.#source, { patch });
    } catch (error) {
      if (error instanceof InputErrors) return error.message;
      throw error;
    }
  }
}
