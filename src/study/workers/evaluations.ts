import { type ResultStore, runKey } from "../resultStore.ts";
import type { Patch } from "../search/candidates.ts";
import type { Outcome } from "./evaluate.ts";
import type { Executor, Job, Piece } from "./executor.ts";
import { CANDIDATES_TOGETHER } from "./fork.ts";

/** A candidate of which some seeds are still to come. */
interface Begun {
  readonly candidate: number;
  readonly patch: Patch;
  /** Of the seeds to come: places among all seeds. */
  readonly missing: readonly number[];
  /** By place of the seed; filled as they come, given up when all are there. */
  outcomes: Outcome[];
  left: number;
}

/** Told of each candidate once, in any order: its place, and an outcome per seed, same order. */
type Told = (candidate: number, outcomes: readonly Outcome[]) => void;

/** Some of the seeds of a candidate. */
interface Part {
  readonly of: Begun;
  /** By their place in the job: places among all seeds. */
  readonly places: readonly number[];
}

/** What follows each other shares most: all seeds of a candidate, one candidate after the other. */
const byCandidate = (begun: readonly Begun[]): Part[] => begun.map((of) => ({ of, places: of.missing }));

/** With a fork the candidates of a seed do. So many at a time, as what each gave is held until its last seed is there. */
function bySeed(begun: readonly Begun[]): Part[] {
  return cut(begun, CANDIDATES_TOGETHER).flatMap((together) => {
    const ofSeed: Part[][] = [];
    for (const of of together) for (const place of of.missing) (ofSeed[place] ??= []).push({ of, places: [place] });
    return ofSeed.flat();
  });
}

/** Candidates that are handed out at one time where each of their seeds is a job of its own. */
const FORKED_AT_ONCE = 1024;

const cut = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, k) => list.slice(k * size, (k + 1) * size));

/** Hands out what has not been run before, and keeps what comes back. */
export class Evaluations {
  readonly #executor: Executor;
  readonly #store: ResultStore;
  readonly #signal: AbortSignal;
  readonly #isForked: boolean;
  readonly #onRuns: (count: number) => void;

  constructor(options: {
    readonly executor: Executor;
    readonly store: ResultStore;
    readonly signal: AbortSignal;
    /** Whether the candidates of a seed share what comes before an instant. */
    readonly isForked: boolean;
    /** Told of finished runs: a candidate on a seed. */
    readonly onRuns: (count: number) => void;
  }) {
    this.#executor = options.executor;
    this.#store = options.store;
    this.#signal = options.signal;
    this.#isForked = options.isForked;
    this.#onRuns = options.onRuns;
  }

  /**
   * Runs candidates on seeds. What a candidate gave is held until its last seed is there, and passed on at once: memory
   * does not grow with seeds.
   */
  async each(patches: readonly Patch[], seeds: readonly number[], scored: Told): Promise<void> {
    const begun: Begun[] = [];
    const places = seeds.map((_, place) => place);
    patches.forEach((patch, candidate) => {
      const outcomes: Outcome[] = [];
      const missing = places.filter((place) => {
        const known = this.#store.known.get(runKey(patch, seeds[place]));
        if (known !== undefined) outcomes[place] = known;
        return known === undefined;
      });
      if (missing.length < seeds.length) this.#onRuns(seeds.length - missing.length);
      if (missing.length === 0) return scored(candidate, outcomes);
      begun.push({ candidate, patch, missing, outcomes, left: missing.length });
    });
    if (!this.#isForked) return this.#run(byCandidate(begun), seeds, scored);
    for (const some of cut(begun, FORKED_AT_ONCE)) await this.#run(bySeed(some), seeds, scored);
  }

  async #run(parts: readonly Part[], seeds: readonly number[], scored: Told): Promise<void> {
    const jobs = parts.map(({ of, places: some }): Job => {
      const isWhole = some.length === seeds.length;
      return { patch: of.patch, seeds: isWhole ? seeds : some.map((place) => seeds[place]) };
    });
    const take = ({ job, place, outcome }: Piece): void => {
      const { of, places: some } = parts[job];
      of.outcomes[some[place]] = outcome;
      if (--of.left > 0) return;
      scored(of.candidate, of.outcomes);
      of.outcomes = [];
    };
    await this.#executor.run(
      jobs,
      (pieces) => {
        this.#store.add(pieces.map(({ job, place, outcome }) => [jobs[job].patch, jobs[job].seeds[place], outcome]));
        pieces.forEach(take);
        this.#onRuns(pieces.length);
      },
      this.#signal,
    );
  }
}
