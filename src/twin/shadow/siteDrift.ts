import { meanOf } from "../../base/lists.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";

/** Why a site of the twin is not where the VPP shows it (docs/model/twin.md#alarms). */
export type DriftAlarm = "outage" | "no_telemetry" | "power_drift" | "soc_drift";

/** A site as one read shows it beside the twin; kW import positive, %. `null`: no value. */
export interface SiteComparison {
  readonly atMs: EpochMs;
  /** Of the measurement. */
  readonly measuredMs: EpochMs;
  /** Whether the VPP shows the site out of service. */
  readonly isOut: boolean;
  /** Whether the twin had it in service before it learned that. */
  readonly isInServiceInTwin: boolean;
  /** Whether the site responds to the frequency, which the read does not have. */
  readonly isInFcr: boolean;
  readonly currentKw: number | null;
  readonly twinKw: number;
  readonly socPct: number | null;
  readonly twinSocPct: number | null;
}

const WINDOW_MS = 15 * MS_PER_MINUTE;
const SOC_DRIFT_POINTS = 5;
/** A measurement that is older than the one before so many reads is lost. */
const OLD_READS = 3;

/** What one site's reads say about its twin: at most one alarm at a time, for its cause alone. */
export class SiteDrift {
  alarm: DriftAlarm | null = null;
  private readonly limitKw: number;
  /** Instants of the last reads, newest last. */
  private readonly readsMs: EpochMs[] = [];
  private measuredMs = Number.NEGATIVE_INFINITY;
  /** Differences (twin less measured) since the last outage or loss of telemetry, of the last quarter of an hour. */
  private differences: { readonly atMs: EpochMs; readonly kw: number }[] = [];
  private comparedFromMs: EpochMs | null = null;
  private last: Pick<SiteComparison, "currentKw" | "twinKw"> | null = null;
  /** State of charge of the twin less that measured when an alarm of another kind ended: what it left is no drift. */
  private socOffsetPoints = 0;

  /** @param limitKw  largest mean difference of a quarter of an hour that is no drift */
  constructor(limitKw: number) {
    this.limitKw = limitKw;
  }

  /** Takes the next read. @returns the alarm in force since it */
  note(read: SiteComparison): DriftAlarm | null {
    const isNew = this.measuredMs < read.measuredMs;
    const lost = this.isLost(read) ? "no_telemetry" : null;
    this.measuredMs = read.measuredMs;
    if (read.isOut || lost !== null) this.forget();
    else if (isNew) this.compare(read);
    this.alarm = read.isOut ? this.outage(read) : (lost ?? this.driftNow(read));
    return this.alarm;
  }

  private isLost({ atMs, measuredMs }: SiteComparison): boolean {
    if (this.readsMs.at(-1) !== atMs) this.readsMs.push(atMs);
    if (this.readsMs.length > OLD_READS + 1) this.readsMs.shift();
    return this.readsMs.length > OLD_READS && measuredMs <= this.readsMs[0];
  }

  private forget(): void {
    this.differences = [];
    this.comparedFromMs = null;
    this.last = null;
  }

  private compare({ atMs, currentKw, twinKw, isInFcr }: SiteComparison): void {
    if (currentKw === null || isInFcr) return;
    this.comparedFromMs ??= atMs;
    this.differences = this.differences.filter((each) => atMs - WINDOW_MS < each.atMs);
    if (!this.isBesideJump({ currentKw, twinKw })) this.differences.push({ atMs, kw: twinKw - currentKw });
    this.last = { currentKw, twinKw };
  }

  /** Plant and twin may get an order a read apart: where one of the two has just jumped, their powers are not compared. */
  private isBesideJump({ currentKw, twinKw }: { readonly currentKw: number; readonly twinKw: number }): boolean {
    if (this.last === null) return false;
    const jumpKw = Math.max(Math.abs(currentKw - (this.last.currentKw ?? 0)), Math.abs(twinKw - this.last.twinKw));
    return jumpKw > this.limitKw;
  }

  private outage({ isInServiceInTwin }: SiteComparison): DriftAlarm | null {
    return this.alarm === "outage" || isInServiceInTwin ? "outage" : null;
  }

  private driftNow(read: SiteComparison): DriftAlarm | null {
    const { alarm } = this;
    const isPowerDrift = this.isPowerDrift(read.atMs);
    if (alarm === "soc_drift" && this.isSocDrift(read)) return alarm;
    if (isPowerDrift) return "power_drift";
    if (alarm !== null && alarm !== "soc_drift") this.socOffsetPoints = socDifference(read) ?? 0;
    return this.isSocDrift(read) ? "soc_drift" : null;
  }

  private isPowerDrift(atMs: EpochMs): boolean {
    if (this.comparedFromMs === null || atMs - this.comparedFromMs < WINDOW_MS || this.differences.length === 0)
      return false;
    return Math.abs(meanOf(this.differences.map(({ kw }) => kw))) > this.limitKw;
  }

  private isSocDrift(read: SiteComparison): boolean {
    const difference = socDifference(read);
    return difference !== null && Math.abs(difference - this.socOffsetPoints) > SOC_DRIFT_POINTS;
  }
}

const socDifference = ({ socPct, twinSocPct }: SiteComparison): number | null =>
  socPct === null || twinSocPct === null ? null : twinSocPct - socPct;
