import { type EpochMs, MS_PER_HOUR, MS_PER_SECOND } from "../base/time.ts";
import { clampSymmetric, droopResponsePerKw } from "../engine/device/frequency/frequencyResponse.ts";
import type { GridFrequency } from "../engine/device/frequency/gridFrequency.ts";
import { ratedPowerKw } from "../engine/site/frequency/ratedPowerKw.ts";
import type { Site } from "../engine/site/site.ts";
import type { Instruction } from "../engine/vpp/instructions/instruction.ts";
import type { SamplingRule } from "./settlement.ts";
import type { AwardAssessor } from "./slotAssessor.ts";

/** An award of frequency response while it runs. */
interface RunningAward {
  readonly award: Instruction;
  readonly assessor: AwardAssessor;
  /** Realised response at the last sampling instant since its start, in kWh, import positive; NaN: not read. */
  sinceKwh: number;
  /** Requests of the grace period before the next sample, oldest first. */
  readonly requestsKw: number[];
}

/**
 * Samples awards of frequency response: the realised response of their members, as the mean over a second (or over a shorter
 * sampling period), and the response that the droop requests of the award (docs/model/settlement.md#frequency-response).
 */
export class ResponseSampler {
  private readonly sites: readonly Site[];
  private readonly ratedKw: readonly number[];
  private readonly frequency: GridFrequency;
  private readonly rule: SamplingRule;
  /** Length of a sample. */
  private readonly meanMs: number;
  private readonly running = new Map<Instruction, RunningAward>();
  private sampledMs: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(sites: readonly Site[], frequency: GridFrequency, rule: SamplingRule) {
    this.sites = sites;
    this.ratedKw = sites.map(({ spec }) => ratedPowerKw(spec.components));
    this.frequency = frequency;
    this.rule = rule;
    this.meanMs = Math.min(MS_PER_SECOND, rule.sampleMs);
  }

  /** The award begins; before its start nothing was requested. */
  begin(award: Instruction, assessor: AwardAssessor, atMs: EpochMs): void {
    const { sampleMs, graceMs } = this.rule;
    if (this.running.size === 0) this.sampledMs = atMs;
    const requestsKw = new Array<number>(Math.ceil(graceMs / sampleMs)).fill(0);
    this.running.set(award, { award, assessor, sinceKwh: atMs % sampleMs === 0 ? 0 : Number.NaN, requestsKw });
  }

  end(award: Instruction): void {
    this.running.delete(award);
  }

  /** Samples the time since the last call. All trajectories hold until `toMs`. */
  sampleThrough(toMs: EpochMs): void {
    if (this.running.size === 0) return;
    const { sampleMs } = this.rule;
    const meanMs = this.meanMs;
    // Registers are read in order of time, at the start and at the end of each sample.
    for (let atMs = this.nextEdgeMs(); atMs <= toMs; atMs = this.nextEdgeMs()) {
      this.sampledMs = atMs;
      const isStart = atMs % sampleMs === 0;
      const isEnd = (atMs - meanMs) % sampleMs === 0;
      for (const running of this.running.values()) {
        const kwh = this.realisedKwh(running.award, atMs);
        if (isEnd && !Number.isNaN(running.sinceKwh)) {
          const kw = ((kwh - running.sinceKwh) * MS_PER_HOUR) / meanMs;
          this.addSample(running, atMs - meanMs, kw);
        }
        running.sinceKwh = isStart ? kwh : Number.NaN;
      }
    }
  }

  /** First start or end of a sample after the last one. */
  private nextEdgeMs(): EpochMs {
    const { sampleMs } = this.rule;
    const startMs = Math.floor(this.sampledMs / sampleMs) * sampleMs;
    const endMs = startMs + this.meanMs;
    return this.sampledMs < endMs ? endMs : startMs + sampleMs;
  }

  private addSample({ award, assessor, requestsKw }: RunningAward, atMs: EpochMs, deliveredKw: number): void {
    const requestedKw = this.requestedKw(award, atMs + this.meanMs / 2);
    requestsKw.push(requestedKw);
    const leastKw = Math.min(...requestsKw);
    const mostKw = Math.max(...requestsKw);
    requestsKw.shift();
    if (requestedKw === 0) return;
    const sign = Math.sign(requestedKw);
    const missedKw = sign * (Math.min(Math.max(deliveredKw, leastKw), mostKw) - deliveredKw);
    assessor.addSample(atMs, {
      requestedKw: sign * requestedKw,
      deliveredKw: sign * deliveredKw,
      miss: { missedKw, bandKw: this.rule.bandKw(Math.abs(requestedKw), assessor.award.awardedKw) },
      toleranceKw: BAND_TOLERANCE_KW,
    });
  }

  /**
   * Response that the droops of the members request, within their shares. Uncovered capacity is requested like covered
   * capacity.
   */
  private requestedKw({ membership, table, fcrCapacityTenths }: Instruction, atMs: EpochMs): number {
    const hz = this.frequency.hzAt(atMs);
    const capacityTenths = table?.fcrCapacities?.capacityTenths ?? new Int32Array(0);
    let kw = 0;
    let coveredTenths = 0;
    for (let i = 0; i < capacityTenths.length; i++) {
      if (capacityTenths[i] === 0) continue;
      const site = membership.siteIndices[i];
      coveredTenths += capacityTenths[i];
      kw += clampSymmetric(this.ratedKw[site] * droopResponsePerKw(this.sites[site].fcr, hz), capacityTenths[i] / 10);
    }
    return coveredTenths === 0 ? 0 : kw * ((fcrCapacityTenths ?? 0) / coveredTenths);
  }

  /** Realised response in kWh since the start of the award. */
  private realisedKwh(award: Instruction, atMs: EpochMs): number {
    let kwh = 0;
    for (const index of award.membership.siteIndices) {
      const { upKwh, downKwh } = this.sites[index].fcrRegisters(award, atMs);
      kwh += upKwh - downKwh;
    }
    return kwh;
  }
}

/** Differences of energies over a second are inexact. */
const BAND_TOLERANCE_KW = 1e-3;
