import { KPI_NAMES } from "../../accounting/kpis/kpis.ts";
import { Run, type RunOptions } from "../../accounting/runWorld.ts";
import type { EpochMs } from "../../base/time.ts";
import { answererFor } from "../../report/answererFor.ts";
import { buildWorld } from "../../scenario/loadScenario.ts";
import { InputErrors } from "../../scenario/parse/inputError.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { type WorldSpec, withSeed } from "../../simulation/worldSpec.ts";
import type { Patch } from "../search/candidates.ts";
import { Fork, vppsSetBy } from "./fork.ts";

/** What one run of one candidate gave: its figures in the order of `KPI_NAMES`, or why the scenario refuses it. */
export type Outcome =
  | { readonly kpis: readonly (number | null)[]; readonly refusal: null }
  | { readonly kpis: null; readonly refusal: string };

/** Nothing but the key figures: no table, no timeline. */
const KPIS_ONLY: RunOptions = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Of a run of 8 s (a year of 1,000 members) each takes half a second. */
const SLICES_MAX = 16;
/** Events of a slice, at least: some milliseconds. Runs of fewer are not cut, as slices would take a tenth of them. */
const SLICE_EVENTS = 4000;

const outcomeOf = (run: Run): Outcome => {
  const { kpis } = run.finish();
  return { kpis: KPI_NAMES.map((name) => kpis.get(name) ?? null), refusal: null };
};

/** Runs candidates of one scenario; what they share is read and worked out once. */
export class Evaluator {
  readonly #source: ScenarioSource;
  readonly #options: RunOptions;
  /** `null`: candidates differ from the start of the run on. */
  readonly #fork: Fork | null;
  /** As many as the run before was long; which shows in no result. */
  #slices = SLICES_MAX;
  #patchKey: string | null = null;
  #world: WorldSpec | string = "";

  private constructor(source: ScenarioSource, options: RunOptions, fork: Fork | null) {
    this.#source = source;
    this.#options = options;
    this.#fork = fork;
  }

  static async open(source: ScenarioSource, forkAtMs: EpochMs | null): Promise<Evaluator> {
    // What no candidate changes is kept from this build of the scenario as written.
    const written = buildWorld(source);
    const options = { ...KPIS_ONLY, ...(await answererFor(written)) };
    return new Evaluator(source, options, forkAtMs === null ? null : new Fork(written, forkAtMs, options));
  }

  run(patch: Patch, seed: number): Outcome {
    const run = this.#runOf(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    run.advanceTo(1);
    return outcomeOf(run);
  }

  /** The same with pauses, in which its host may hear what is said to it. */
  *slices(patch: Patch, seed: number): Generator<null, Outcome> {
    const run = this.#runOf(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    const begun = this.#fork?.share ?? 0;
    const slices = this.#slices;
    for (let slice = 1; slice <= slices; slice++) {
      run.advanceTo(begun + ((1 - begun) * slice) / slices);
      yield null;
    }
    this.#slices = Math.min(SLICES_MAX, Math.max(1, Math.round(run.eventCount / SLICE_EVENTS)));
    return outcomeOf(run);
  }

  #runOf(patch: Patch, seed: number): Run | string {
    return this.#fork === null ? this.#begin(patch, seed) : this.#goOn(this.#fork, patch, seed);
  }

  /** The seeds of a candidate follow each other: its world is built for the first of them. */
  #begin(patch: Patch, seed: number): Run | string {
    const key = JSON.stringify(patch);
    if (key !== this.#patchKey) {
      this.#patchKey = key;
      this.#world = this.#build(patch);
    }
    return typeof this.#world === "string" ? this.#world : new Run(withSeed(this.#world, seed), this.#options);
  }

  /** The candidates of a seed follow each other, and come again on the next one. */
  #goOn(fork: Fork, patch: Patch, seed: number): Run | string {
    const vpps = fork.vppsOf(patch, () => {
      const world = this.#build(patch);
      return typeof world === "string" ? world : vppsSetBy(patch, world);
    });
    return typeof vpps === "string" ? vpps : fork.run(vpps, seed);
  }

  #build(patch: Patch): WorldSpec | string {
    try {
      return buildWorld(this.#source, { patch });
    } catch (error) {
      if (error instanceof InputErrors) return error.message;
      throw error;
    }
  }
}
