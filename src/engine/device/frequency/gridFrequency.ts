import { Copyable } from "../../../base/copyState.ts";
import { exp, expm1 } from "../../../base/elementary.ts";
import { type EpochMs, MS_PER_SECOND } from "../../../base/time.ts";
import { type RandomState, type RandomStream, RandomStreams } from "../../kernel/randomStreams.ts";
import { type Interpolation, Series } from "../../series/model/series.ts";

/**
 * A frequency that fluctuates around its mean.
 *
 * @see docs/model/frequency-response.md#frequency-generator
 */
export interface FrequencyProcessSpec {
  readonly meanHz: number;
  /** Stationary standard deviation: of the values long after the start, not of their steps. */
  readonly sigmaHz: number;
  /** Two values this far apart have a correlation of 1/e. */
  readonly timeConstantS: number;
}

export type FrequencySource = Series | number | FrequencyProcessSpec;

/** Samples `first` to `end` - 1 cover a period; valid until the next call. */
export interface FrequencySamples {
  readonly timesMs: Float64Array;
  readonly hz: Float64Array;
  readonly first: number;
  readonly end: number;
  readonly interpolation: Interpolation;
}

/** Grid frequency, common to all sites of a simulation. */
export class GridFrequency extends Copyable {
  private readonly source: Series | number | GeneratedFrequency;

  /** @param from  seed and start of the scenario, also for a run of a part of it; they determine a generated frequency */
  constructor(source: FrequencySource, from: { readonly seed: number; readonly startMs: EpochMs }) {
    super();
    this.source =
      typeof source === "number" || source instanceof Series ? source : new GeneratedFrequency(source, from);
  }

  hzAt(atMs: EpochMs): number {
    const source = this.source;
    return typeof source === "number" ? source : source.valueAt(atMs);
  }

  get isConstant(): boolean {
    return typeof this.source === "number";
  }

  /** The samples of a period. */
  samples(fromMs: EpochMs, toMs: EpochMs): FrequencySamples {
    const source = this.source;
    if (typeof source === "number")
      return { timesMs: Float64Array.of(fromMs), hz: Float64Array.of(source), first: 0, end: 1, interpolation: "step" };
    if (source instanceof GeneratedFrequency) return source.samples(fromMs, toMs);
    const { timesMs, values, interpolation } = source;
    const first = source.indexAt(Math.min(Math.max(fromMs, source.startMs), source.untilMs));
    let end = first + 1;
    while (end < timesMs.length && timesMs[end] < toMs) end++;
    return { timesMs, hz: values, first, end, interpolation };
  }
}

/** Values per chunk: one hour. */
const CHUNK_SAMPLES = 3_600;

/**
 * An Ornstein-Uhlenbeck process sampled at whole seconds and held between them, exact for any time constant, starting
 * at its mean. Chunks of one hour are generated on demand: a year of seconds would be 31.5 million values, 252 MB. Two
 * chunks are cached, and the state at the start of every chunk, so that an earlier one can be regenerated with the same
 * values. A run without frequency response draws nothing.
 */
export class GeneratedFrequency extends Copyable {
  private readonly meanHz: number;
  private readonly decayFactor: number;
  private readonly noiseHz: number;
  private readonly startMs: EpochMs;
  private readonly random: RandomStream;
  /** Start of each chunk: the previous deviation and the state of the random stream. */
  private readonly chunkStarts: { readonly deviationHz: number; readonly state: RandomState }[];
  private chunks: { readonly index: number; readonly hz: Float64Array }[] = [];

  constructor(
    { meanHz, sigmaHz, timeConstantS }: FrequencyProcessSpec,
    { seed, startMs }: { readonly seed: number; readonly startMs: EpochMs },
  ) {
    super();
    this.meanHz = meanHz;
    this.decayFactor = exp(-1 / timeConstantS);
    // Noise that keeps the variance at σ²; `expm1` loses no digits for long time constants.
    this.noiseHz = sigmaHz * Math.sqrt(-expm1(-2 / timeConstantS));
    this.startMs = startMs;
    this.random = new RandomStreams(seed).getStream("frequency", "");
    this.chunkStarts = [{ deviationHz: 0, state: this.random.saveState() }];
  }

  valueAt(atMs: EpochMs): number {
    return this.sampleHz(Math.floor((atMs - this.startMs) / MS_PER_SECOND));
  }

  samples(fromMs: EpochMs, toMs: EpochMs): FrequencySamples {
    const first = Math.max(0, Math.floor((fromMs - this.startMs) / MS_PER_SECOND));
    const count = Math.max(1, Math.ceil((toMs - this.startMs) / MS_PER_SECOND) - first);
    const timesMs = new Float64Array(count);
    const hz = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      timesMs[k] = this.startMs + (first + k) * MS_PER_SECOND;
      hz[k] = this.sampleHz(first + k);
    }
    return { timesMs, hz, first: 0, end: count, interpolation: "step" };
  }

  private sampleHz(second: number): number {
    const index = Math.floor(second / CHUNK_SAMPLES);
    for (const made of this.chunks) if (made.index === index) return made.hz[second - index * CHUNK_SAMPLES];
    return this.generateChunk(index)[second - index * CHUNK_SAMPLES];
  }

  /** Generates a chunk, and all missing ones before it. */
  private generateChunk(index: number): Float64Array {
    const hz = new Float64Array(CHUNK_SAMPLES);
    const first = Math.min(index, this.chunkStarts.length - 1);
    let { deviationHz, state } = this.chunkStarts[first];
    this.random.restore(state);
    for (let chunk = first; chunk <= index; chunk++) {
      for (let k = 0; k < CHUNK_SAMPLES; k++) {
        hz[k] = this.meanHz + deviationHz;
        deviationHz = this.decayFactor * deviationHz + this.noiseHz * this.random.nextNormal();
      }
      state = this.random.saveState();
      if (chunk + 1 === this.chunkStarts.length) this.chunkStarts.push({ deviationHz, state });
    }
    this.chunks = [{ index, hz }, ...this.chunks.slice(0, 1)];
    return hz;
  }
}
