import { LRUCache } from "lru-cache";
import { immutableInputsOf, type RunOptions, SimulationRun } from "../../accounting/simulationRun.ts";
import type { EpochMs } from "../../base/time.ts";
import { type WorldSpec, withSeed } from "../../engine/simulation/worldSpec.ts";
import type { VppSpec } from "../../engine/vpp/vppSpec.ts";
import { createGlobMatcher } from "../../inputs/scenario/parse/createGlobMatcher.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";

/** Cached runs up to the fork, one per seed. A run of 100 sites with a year of awards takes about 4 MB. */
export const CACHED_SEEDS_MAX = 16;
/**
 * Cached VPPs of candidates, about 10 kB each for 100 members. This many candidates run on one seed before the next
 * seed. The run up to the fork then takes a small part of the time, even if more seeds are in use than are cached.
 */
export const CANDIDATES_PER_SEED = 64;

/**
 * The run as written up to `fork_at`, once per seed. Each candidate continues a copy of it with its own weights and
 * options.
 */
export class ForkedRuns {
  private readonly written: WorldSpec;
  private readonly atMs: EpochMs;
  private readonly options: RunOptions;
  private readonly input: ReadonlySet<unknown>;
  private readonly runs = new LRUCache<number, SimulationRun>({ max: CACHED_SEEDS_MAX });
  private readonly vpps = new LRUCache<string, readonly VppSpec[] | string>({ max: CANDIDATES_PER_SEED });

  constructor(written: WorldSpec, atMs: EpochMs, options: RunOptions) {
    this.written = written;
    this.atMs = atMs;
    this.options = options;
    this.input = immutableInputsOf(written);
  }

  /** Elapsed share of the period at the fork, 0..1. */
  get elapsedShare(): number {
    const { startMs, endMs } = this.written;
    return (this.atMs - startMs) / (endMs - startMs);
  }

  /** The VPPs of a candidate, or why the scenario refuses it. */
  resolveVpps(patch: Patch, make: () => readonly VppSpec[] | string): readonly VppSpec[] | string {
    return getOrCreate(this.vpps, JSON.stringify(patch), make);
  }

  /** A copy of the run at the fork that continues with these VPPs. */
  runFromFork(vpps: readonly VppSpec[], seed: number): SimulationRun {
    const run = getOrCreate(this.runs, seed, () => this.runTo(seed)).copy(this.input);
    run.adoptVppSpecs(vpps);
    return run;
  }

  private runTo(seed: number): SimulationRun {
    const run = new SimulationRun(withSeed(this.written, seed), this.options);
    run.advanceUntil(this.atMs);
    return run;
  }
}

/**
 * The VPPs of a candidate's world with only those members whose weights the candidate sets. All others have the weights
 * that `set_weight` and other events have set up to the fork.
 */
export function patchedVpps(patch: Patch, { vpps, sites }: WorldSpec): VppSpec[] {
  const paths = Object.keys(patch).map((path) => path.split("."));
  return vpps.map((vpp) => {
    const globs = paths.filter(([head, name]) => head === "weights" && name === vpp.name).map(([, , glob]) => glob);
    const tests = globs.map(createGlobMatcher);
    return { ...vpp, members: vpp.members.filter(({ site }) => tests.some((test) => test(sites[site].name))) };
  });
}

function getOrCreate<Key extends object | string | number, Value extends object | string>(
  cache: LRUCache<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = create();
  cache.set(key, value);
  return value;
}
