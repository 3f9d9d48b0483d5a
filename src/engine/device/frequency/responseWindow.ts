import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { LinearPieces } from "../curve/linearPieces.ts";
import { beyondDeadbandPerKw, deadbandStepPerKw, droopResponsePerKw, type FcrConfig } from "./frequencyResponse.ts";
import type { FrequencySamples, GridFrequency } from "./gridFrequency.ts";

/**
 * Droop response of a period in kW per kW of rated power (`droopResponsePerKw`), in pieces that start at instants: the origin
 * is 0. The first piece may begin before the window. Adjacent pieces of one constant value are merged, such as those in the
 * dead band.
 */
export class ResponseWindow extends LinearPieces {
  readonly fromMs: EpochMs;
  /** Start of the next window; `Infinity` for a constant frequency. */
  readonly toMs: EpochMs;
  /** Whether no piece has a slope. */
  isStepped = true;

  constructor(fromMs: EpochMs, toMs: EpochMs) {
    super();
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  add(startMs: EpochMs, perKw: number, perKwPerMs: number): void {
    if (this.repeatsLast(perKw, perKwPerMs)) return;
    this.append(startMs, perKw, perKwPerMs);
    if (perKwPerMs !== 0) this.isStepped = false;
  }
}

/**
 * Windows of one configuration, half an hour each, computed once for all sites that share it. The last two are cached,
 * because all sites advance through time together.
 */
export class ResponseWindowCache extends Copyable {
  private readonly frequency: GridFrequency;
  private readonly config: FcrConfig;
  private recent: readonly ResponseWindow[] = [];

  constructor(frequency: GridFrequency, config: FcrConfig) {
    super();
    this.frequency = frequency;
    this.config = config;
  }

  /** The window that contains an instant. */
  windowAt(atMs: EpochMs): ResponseWindow {
    for (const window of this.recent) if (window.fromMs <= atMs && atMs < window.toMs) return window;
    const window = this.buildWindow(atMs);
    this.recent = [window, ...this.recent.slice(0, 1)];
    return window;
  }

  private buildWindow(atMs: EpochMs): ResponseWindow {
    const { isConstant } = this.frequency;
    const fromMs = isConstant ? Number.NEGATIVE_INFINITY : floorToHalfHour(atMs);
    const toMs = isConstant ? Number.POSITIVE_INFINITY : fromMs + MS_PER_HALF_HOUR;
    const delayMs = this.config.responseDelayMs ?? 0;
    const samples = this.frequency.samples(fromMs - delayMs, toMs - delayMs);
    const { timesMs, hz, first, end } = samples;
    const window = new ResponseWindow(fromMs, toMs);
    window.reserve(end - first + 1);
    // Before the first sample its value is held.
    if (0 < delayMs && fromMs < timesMs[first] + delayMs)
      window.add(fromMs, droopResponsePerKw(this.config, hz[first]), 0);
    if (samples.interpolation === "step") addSteps(window, samples, this.config);
    else addLines(window, samples, this.config);
    return window;
  }
}

/** Window caches of a simulation, by configuration. */
export class ResponseWindowRegistry extends Copyable {
  readonly frequency: GridFrequency;
  private readonly byConfig = new Map<string, ResponseWindowCache>();

  constructor(frequency: GridFrequency) {
    super();
    this.frequency = frequency;
  }

  /** The cache for a configuration; equal configurations share one. */
  windowsFor(config: FcrConfig): ResponseWindowCache {
    const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct, deadbandForm, responseDelayMs } = config;
    const numbers = [freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct, responseDelayMs];
    const key = [deadbandForm, ...numbers].join(" ");
    let windows = this.byConfig.get(key);
    if (windows === undefined) this.byConfig.set(key, (windows = new ResponseWindowCache(this.frequency, config)));
    return windows;
  }
}

function addSteps(window: ResponseWindow, { timesMs, hz, first, end }: FrequencySamples, config: FcrConfig): void {
  const { responseDelayMs = 0 } = config;
  for (let k = first; k < end; k++) window.add(timesMs[k] + responseDelayMs, droopResponsePerKw(config, hz[k]), 0);
}

/** Linear between samples, with a breakpoint where the frequency crosses an edge of the dead band; there a response can jump. */
function addLines(window: ResponseWindow, { timesMs, hz, first, end }: FrequencySamples, config: FcrConfig): void {
  const { responseDelayMs = 0 } = config;
  const edgesHz = [config.freqRefHz - config.lowDeadbandHz, config.freqRefHz + config.upDeadbandHz];
  for (let k = first; k < end; k++) {
    const startMs = timesMs[k] + responseDelayMs;
    if (k + 1 === timesMs.length) {
      window.add(startMs, droopResponsePerKw(config, hz[k]), 0);
      continue;
    }
    const spanMs = timesMs[k + 1] - timesMs[k];
    const hzPerMs = (hz[k + 1] - hz[k]) / spanMs;
    const crossingsMs = edgesHz.map((edgeHz) => (edgeHz - hz[k]) / hzPerMs).filter((ms) => 0 < ms && ms < spanMs);
    const breakpointsMs = [0, ...crossingsMs.sort((a, b) => a - b), spanMs];
    // At a crossing the part beyond the dead band is 0; at a sample it follows the droop.
    const beyondPerKw = breakpointsMs.map((_, j) =>
      j === 0 || j === breakpointsMs.length - 1 ? beyondDeadbandPerKw(config, hz[j === 0 ? k : k + 1]) : 0,
    );
    for (let j = 0; j + 1 < breakpointsMs.length; j++) {
      const pieceMs = breakpointsMs[j + 1] - breakpointsMs[j];
      if (pieceMs <= 0) continue;
      const middleHz = hz[k] + hzPerMs * (breakpointsMs[j] + pieceMs / 2);
      const stepPerKw = deadbandStepPerKw(config, middleHz);
      const slope = (beyondPerKw[j + 1] - beyondPerKw[j]) / pieceMs;
      window.add(startMs + breakpointsMs[j], beyondPerKw[j] + stepPerKw, slope);
    }
  }
}
