import { inputOf, Run, type RunOptions } from "../../accounting/runWorld.ts";
import type { EpochMs } from "../../base/time.ts";
import { globTest } from "../../scenario/parse/globs.ts";
import { type WorldSpec, withSeed } from "../../simulation/worldSpec.ts";
import type { VppSpec } from "../../vpp/vppSpec.ts";
import type { Patch } from "../search/candidates.ts";

/** Seeds whose run up to the fork is kept: of 100 sites with a year of awards each takes some 4 MB. */
export const SEEDS_KEPT = 16;
/**
 * Candidates whose VPPs are kept, some 10 kB each for 100 members. So many come on one seed before they come on the next:
 * the run up to the fork is a small part of the time then, also where there are more seeds than are kept.
 */
export const CANDIDATES_TOGETHER = 64;

/**
 * What the candidates of a study with `fork_at` share: the run as written up to that instant, once for a seed. Each
 * candidate goes on from there with its own weights and options.
 */
export class Fork {
  readonly #written: WorldSpec;
  readonly #atMs: EpochMs;
  readonly #options: RunOptions;
  readonly #input: ReadonlySet<unknown>;
  readonly #runs = new LastUsed<number, Run>(SEEDS_KEPT);
  readonly #vpps = new LastUsed<string, readonly VppSpec[] | string>(CANDIDATES_TOGETHER);

  constructor(written: WorldSpec, atMs: EpochMs, options: RunOptions) {
    this.#written = written;
    this.#atMs = atMs;
    this.#options = options;
    this.#input = inputOf(written);
  }

  /** How much of the period is over at the fork, 0..1. */
  get share(): number {
    const { startMs, endMs } = this.#written;
    return (this.#atMs - startMs) / (endMs - startMs);
  }

  /** The VPPs of a candidate, or why the scenario refuses it. */
  vppsOf(patch: Patch, make: () => readonly VppSpec[] | string): readonly VppSpec[] | string {
    return this.#vpps.get(JSON.stringify(patch), make);
  }

  /** A run at the fork, from which on the VPPs are these. */
  run(vpps: readonly VppSpec[], seed: number): Run {
    const run = this.#runs.get(seed, () => this.#runTo(seed)).copy(this.#input);
    run.adopt(vpps);
    return run;
  }

  #runTo(seed: number): Run {
    const run = new Run(withSeed(this.#written, seed), this.#options);
    run.advanceUntil(this.#atMs);
    return run;
  }
}

/**
 * The VPPs of a candidate's world with only those members whose weights the candidate sets: all others have at the fork
 * what `set_weight` and the other events have left them.
 */
export function vppsSetBy(patch: Patch, { vpps, sites }: WorldSpec): VppSpec[] {
  const paths = Object.keys(patch).map((path) => path.split("."));
  return vpps.map((vpp) => {
    const globs = paths.filter(([head, name]) => head === "weights" && name === vpp.name).map(([, , glob]) => glob);
    const tests = globs.map(globTest);
    return { ...vpp, members: vpp.members.filter(({ site }) => tests.some((test) => test(sites[site].name))) };
  });
}

/** Keeps what was asked for last. */
class LastUsed<Key, Value> {
  readonly #most: number;
  /** In the order in which they were asked for. */
  readonly #kept = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
    }
    return value;
  }
}
