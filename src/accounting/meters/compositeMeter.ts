import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { GeneratorUnit } from "../../site/components/generatorUnit.ts";
import { BINDS } from "../../site/components/stretch.ts";
import type { CompositeUnit } from "../../site/composite/compositeUnit.ts";
import type { Site } from "../../site/site.ts";
import { foldGap, type GapIntegrals, PieceSum } from "../settlement/gap.ts";
import { BatteryBook } from "./batteryBook.ts";
import { EnergyPaths } from "./energyPaths.ts";
import { LEAF } from "./leaves.ts";
import { baselineKwh, leafOfReason } from "./meterRules.ts";
import { closeSums, PART_LEAF, partBase, registerCount } from "./partLeaves.ts";
import type { SiteMeter } from "./siteMeter.ts";

/**
 * Energy of a site of several components: paths by component, and what the site has as a whole.
 *
 * Walks the law from one change of any component's curve to the next. Where a reading ends within such a piece only its
 * part is added to what is read, so that a register does not depend on when it is read.
 */
export class CompositeMeter extends Copyable implements SiteMeter {
  readonly site: Site;
  readonly batteries: readonly BatteryBook[];
  private readonly unit: CompositeUnit;
  private readonly paths: EnergyPaths;
  /** Up to `walkedMs`, the end of a piece or of a law. */
  private readonly walked: Float64Array;
  private readonly latest: Float64Array;
  private latestMs: EpochMs = Number.NaN;
  private walkedMs: EpochMs;
  /** When the present law began, and the baseline's register there. */
  private sinceMs: EpochMs;
  private baselineKwh: number;
  private readonly below = new PieceSum();
  private readonly gap: GapIntegrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };

  constructor(site: Site, unit: CompositeUnit, startMs: EpochMs, from: Float64Array | null) {
    super();
    this.site = site;
    this.unit = unit;
    this.paths = new EnergyPaths(unit.parts, unit.powers);
    const count = registerCount(site);
    assert(from === null || from.length === count, "registers to go on from are those of this site");
    this.walked = from === null ? new Float64Array(count) : from.slice();
    this.latest = this.walked.slice();
    this.walkedMs = startMs;
    this.sinceMs = startMs;
    this.baselineKwh = this.walked[LEAF.baseline];
    this.batteries = unit.batteries.map((lane) => new BatteryBook(lane.unit));
  }

  read(atMs: EpochMs): Float64Array {
    if (atMs === this.latestMs) return this.latest;
    const latest = this.latest;
    this.latestMs = atMs;
    this.walk(atMs);
    latest.set(this.walked);
    if (this.walkedMs < atMs) this.addPiece(atMs - this.walkedMs, latest);
    latest[LEAF.baseline] = this.baselineKwhAt(atMs);
    closeSums(this.site, latest);
    return latest;
  }

  close(atMs: EpochMs): void {
    if (atMs <= this.sinceMs) return;
    this.walk(atMs);
    if (this.walkedMs < atMs) this.addPiece(atMs - this.walkedMs, this.walked);
    this.baselineKwh = this.baselineKwhAt(atMs);
    this.walked[LEAF.baseline] = this.baselineKwh;
    for (const book of this.batteries) book.fold(this.sinceMs, atMs);
    this.walkedMs = atMs;
    this.sinceMs = atMs;
    this.latestMs = Number.NaN;
  }

  /** Adds all pieces that end by an instant; where one goes on past it, it is the one that `fill` has just told. */
  private walk(atMs: EpochMs): void {
    while (this.walkedMs < atMs) {
      const endMs = this.unit.fill(this.walkedMs);
      if (atMs < endMs) return;
      this.addPiece(endMs - this.walkedMs, this.walked);
      this.walkedMs = endMs;
    }
  }

  private baselineKwhAt(atMs: EpochMs): number {
    return this.sinceMs < atMs ? this.baselineKwh + baselineKwh(this.site, this.sinceMs, atMs) : this.baselineKwh;
  }

  /** Adds the first `spanMs` of the piece that `fill` has just told. */
  private addPiece(spanMs: number, registers: Float64Array): void {
    if (!this.site.inService) return;
    this.paths.add(spanMs, registers, partBase(0));
    if (this.site.outputControls.length > 0) this.addCurtailed(spanMs, registers);
    if (this.site.reduction.reducing) registers[LEAF.drDelivered] += this.belowBaselineKwh(spanMs);
  }

  /** ∫max(0, baseline − power) at the connection point. */
  private belowBaselineKwh(spanMs: number): number {
    const below = this.below;
    below.clear();
    below.kw = this.site.reportedBaselineKw(this.walkedMs);
    for (const power of this.unit.powers) below.addMerged(-1, power);
    foldGap(below, spanMs, 0, this.gap);
    return this.gap.shortfallKwh;
  }

  /** What output control takes of what sun, rating and connection point would allow; it is the only cap here. */
  private addCurtailed(spanMs: number, registers: Float64Array): void {
    const { parts, powers } = this.unit;
    const leaf = leafOfReason(this.site) - LEAF.fitCurtailed + PART_LEAF.fitCurtailed;
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k];
      if (part.kind !== "generator" || powers[k].binds !== BINDS.outputControl) continue;
      const atMs = this.walkedMs;
      const allowedKwh = this.allowedKwh(k, part, atMs, spanMs);
      const sentKwh = (-powers[k].kw * spanMs) / MS_PER_HOUR;
      registers[partBase(k) + leaf] += Math.max(0, allowedKwh - sentKwh);
    }
  }

  /** ∫min(potential, room at the connection point) from an instant on, while its output is capped. */
  private allowedKwh(k: number, { availableKw }: GeneratorUnit, fromMs: EpochMs, spanMs: number): number {
    const toMs = fromMs + spanMs;
    const room = this.unit.rooms[k];
    if (room.kw === Number.POSITIVE_INFINITY) return availableKw.integral(fromMs, toMs);
    let kwh = 0;
    let atMs = fromMs;
    while (atMs < toMs) {
      const endMs = Math.min(toMs, availableKw.nextChangeMs(atMs));
      const slope = availableKw.slopeAt(availableKw.indexAt(atMs));
      const over = this.below;
      over.clear();
      over.add(1, availableKw.valueAt(atMs), slope, 0, 0);
      kwh += availableKw.integral(atMs, endMs);
      // min(potential, room) = potential − (potential − room)⁺.
      over.addLater(-1, room, atMs - room.originMs);
      foldGap(over, endMs - atMs, 0, this.gap);
      kwh -= this.gap.shortfallKwh;
      atMs = endMs;
    }
    return kwh;
  }
}
