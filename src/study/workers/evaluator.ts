import { kpiValue, NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { type RunOptions, SimulationRun } from "../../accounting/simulationRun.ts";
import { InputErrors } from "../../base/inputError.ts";
import type { EpochMs } from "../../base/time.ts";
import { withSeed } from "../../engine/simulation/worldSpec.ts";
import { buildRunInput, type RunInput } from "../../inputs/scenario/loadScenario.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { MarketError } from "../../market/settlement.ts";
import { SettlementCollector } from "../../market/settlementCollector.ts";
import { createRequestHandler } from "../../report/createRequestHandler.ts";
import { ForkedRuns, patchedVpps } from "./fork.ts";

/** Result of one run of one candidate: its KPIs in the order of the registry, or why the scenario refuses it. */
export type Outcome =
  | { readonly kpis: readonly (number | null)[]; readonly refusal: null }
  | { readonly kpis: null; readonly refusal: string };

/** KPIs only: no tables, no timelines. */
const KPIS_ONLY_OPTIONS: RunOptions = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Largest number of slices. In a run of 8 s (a year of 1,000 members) a slice takes half a second. */
const SLICES_MAX = 16;
/**
 * Fewest events of a slice, a few milliseconds. Shorter runs have one slice, as slicing would take a tenth of their
 * time.
 */
const SLICE_EVENTS_MIN = 4000;

function outcomeOf(run: SimulationRun): Outcome {
  try {
    const { kpis } = run.finish();
    return { kpis: NUMERIC_KPI_NAMES.map((name) => kpiValue(kpis, name)), refusal: null };
  } catch (error) {
    if (error instanceof MarketError) return { kpis: null, refusal: error.message };
    throw error;
  }
}

/** Runs candidates of one scenario. Data common to all candidates is read and computed once. */
export class Evaluator {
  private readonly source: ScenarioSource;
  private readonly options: RunOptions;
  /** `null`: candidates differ from the start of the run on. */
  private readonly fork: ForkedRuns | null;
  /** Chosen by the length of the previous run; it affects no result. */
  private sliceCount = SLICES_MAX;
  private patchKey: string | null = null;
  private input: RunInput | string = "";

  private constructor(source: ScenarioSource, options: RunOptions, fork: ForkedRuns | null) {
    this.source = source;
    this.options = options;
    this.fork = fork;
  }

  static async open(source: ScenarioSource, forkAtMs: EpochMs | null): Promise<Evaluator> {
    // This build fills the source's caches with everything that no candidate changes.
    const { world: written } = buildRunInput(source);
    const options = { ...KPIS_ONLY_OPTIONS, ...(await createRequestHandler(written)) };
    return new Evaluator(source, options, forkAtMs === null ? null : new ForkedRuns(written, forkAtMs, options));
  }

  run(patch: Patch, seed: number): Outcome {
    const run = this.prepareRun(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    run.advanceToShare(1);
    return outcomeOf(run);
  }

  /** The same in slices, between which the host thread can process messages. */
  *slices(patch: Patch, seed: number): Generator<null, Outcome> {
    const run = this.prepareRun(patch, seed);
    if (typeof run === "string") return { kpis: null, refusal: run };
    const forkShare = this.fork?.elapsedShare ?? 0;
    const slices = this.sliceCount;
    for (let slice = 1; slice <= slices; slice++) {
      run.advanceToShare(forkShare + ((1 - forkShare) * slice) / slices);
      yield null;
    }
    this.sliceCount = Math.min(SLICES_MAX, Math.max(1, Math.round(run.eventCount / SLICE_EVENTS_MIN)));
    return outcomeOf(run);
  }

  private prepareRun(patch: Patch, seed: number): SimulationRun | string {
    return this.fork === null ? this.startRun(patch, seed) : this.runFromFork(this.fork, patch, seed);
  }

  /** Seeds of a candidate run consecutively, so its world is built for the first one only. */
  private startRun(patch: Patch, seed: number): SimulationRun | string {
    const key = JSON.stringify(patch);
    if (key !== this.patchKey) {
      this.patchKey = key;
      this.input = this.build(patch);
    }
    if (typeof this.input === "string") return this.input;
    const { world, settlement } = this.input;
    const settled = settlement === null ? {} : { settlement: new SettlementCollector(settlement, world) };
    return new SimulationRun(withSeed(world, seed), { ...this.options, ...settled });
  }

  /** Candidates of a seed run consecutively and recur for the next seed. */
  private runFromFork(fork: ForkedRuns, patch: Patch, seed: number): SimulationRun | string {
    const vpps = fork.resolveVpps(patch, () => {
      const input = this.build(patch);
      return typeof input === "string" ? input : patchedVpps(patch, input.world);
    });
    return typeof vpps === "string" ? vpps : fork.runFromFork(vpps, seed);
  }

  private build(patch: Patch): RunInput | string {
    try {
      return buildRunInput(this.source, { patch });
    } catch (error) {
      if (error instanceof InputErrors) return error.message;
      throw error;
    }
  }
}
