import type { EpochMs } from "../base/time.ts";
import { KPI_NAMES } from "../record/kpis.ts";
import type { Kpis } from "../record/runRecord.ts";
import { Run, type RunOptions } from "../record/runWorld.ts";
import { answererFor } from "../report/answererFor.ts";
import { InputErrors } from "../scenario/inputError.ts";
import { buildWorld } from "../scenario/loadScenario.ts";
import type { ScenarioSource } from "../scenario/scenarioSource.ts";
import type { WorldSpec } from "../world/worldSpec.ts";
import type { Patch } from "./candidates.ts";

/** What one run of one candidate gave: its figures in the order of `KPI_NAMES`, or why the scenario refuses it. */
export type Outcome =
  | { readonly kpis: readonly (number | null)[]; readonly refusal: null }
  | { readonly kpis: null; readonly refusal: string };

/** Nothing but the key figures: no table, no timeline. */
const KPIS_ONLY: RunOptions = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Runs candidates of one scenario; what they share is read and worked out once. */
export class Evaluator {
  readonly #source: ScenarioSource;
  readonly #forkAtMs: EpochMs | null;
  readonly #options: RunOptions;
  #patchKey: string | null = null;
  #world: WorldSpec | string = "";

  private constructor(source: ScenarioSource, forkAtMs: EpochMs | null, options: RunOptions) {
    this.#source = source;
    this.#forkAtMs = forkAtMs;
    this.#options = options;
  }

  static async open(source: ScenarioSource, forkAtMs: EpochMs | null): Promise<Evaluator> {
    // What no candidate changes is kept from this build of the scenario as written.
    const written = buildWorld(source);
    return new Evaluator(source, forkAtMs, { ...KPIS_ONLY, ...(await answererFor(written)) });
  }

  run(patch: Patch, seed: number): Outcome {
    const world = this.#worldOf(patch);
    if (typeof world === "string") return { kpis: null, refusal: world };
    const kpis = this.#forkAtMs === null ? this.#kpisOf(world, seed) : this.#forked(world, seed, this.#forkAtMs);
    return { kpis: KPI_NAMES.map((name) => kpis.get(name) ?? null), refusal: null };
  }

  /** The seeds of a candidate follow each other: its world is built for the first of them. */
  #worldOf(patch: Patch): WorldSpec | string {
    const key = JSON.stringify(patch);
    if (key !== this.#patchKey) {
      this.#patchKey = key;
      this.#world = this.#build(patch);
    }
    return this.#world;
  }

  #build(patch: Patch): WorldSpec | string {
    try {
      return buildWorld(this.#source, { patch });
    } catch (error) {
      if (error instanceof InputErrors) return error.message;
      throw error;
    }
  }

  /**
   * The run as written up to an instant, from there on with the candidate's weights and options. The part before is run
   * for every candidate: it gives the same figures as a copy of the world would, which the world cannot make.
   */
  #forked(candidate: WorldSpec, seed: number, atMs: EpochMs): Kpis {
    const written = buildWorld(this.#source);
    const run = new Run({ ...written, seed }, this.#options);
    run.advanceUntil(atMs);
    run.adopt(candidate.vpps);
    run.advanceTo(1);
    return run.finish().kpis;
  }

  #kpisOf(world: WorldSpec, seed: number): Kpis {
    const run = new Run({ ...world, seed }, this.#options);
    run.advanceTo(1);
    return run.finish().kpis;
  }
}
