import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../baseline/siteBaseline.ts";
import { BatteryUnit } from "../components/batteryUnit.ts";
import { ConsumerUnit } from "../components/consumerUnit.ts";
import { DispatchableUnit } from "../components/dispatchableUnit.ts";
import { GeneratorUnit } from "../components/generatorUnit.ts";
import type { Part } from "../components/part.ts";
import { BINDS, copyStretch, newStretch, type Stretch } from "../components/stretch.ts";
import { OWN_PLAN, type ReplanMs, type Surroundings, type Target } from "../components/target.ts";
import { ratedPowerKw, sameFcr } from "../frequency/fcrTarget.ts";
import { newOrigin, type UnitOrigin } from "../siteMoment.ts";
import type { SiteSpec } from "../siteSpec.ts";
import { NOBODY, type OwnTarget, sameOwn } from "./componentOrders.ts";
import { type Division, divideDelta } from "./compositeDelta.ts";
import { divideWidth, sameWidths, widthShares } from "./compositeWidth.ts";
import type { BatteryLane, Composition, PlantLane } from "./composition.ts";
import { Lane, type Room } from "./lane.ts";
import { addToSum, beginSum, rebase } from "./powerSum.ts";
import { steer } from "./steer.ts";
import { yieldToGrid } from "./yieldToGrid.ts";

type AnyLane = BatteryLane | PlantLane | Lane<ConsumerUnit> | Lane<GeneratorUnit>;

const OWN: { readonly own: true } = { own: true };
const isFree = ({ isOwn }: { readonly isOwn: boolean }): boolean => !isOwn;

/**
 * Several components behind one connection point: their sum, what each is told of the site's delta, and who yields
 * where the connection point is too narrow.
 *
 * Without an instruction batteries and plants idle, loads draw and PV and wind send what they can; a battery of a site
 * with `control: track` holds the meter at the site's plan, and under an instruction at baseline + delta (decisions.md
 * 84, 115). Where the export limit binds (0 without reverse flow) first batteries discharge less, then plants give less,
 * then PV and wind send less, the last one listed first. Where the import limit binds batteries charge less and pumps
 * take less; a load is never cut. @see models.md §7
 */
export class CompositeUnit extends Copyable implements Composition {
  readonly kind = "multi_component";
  readonly spec: SiteSpec;
  /** In the order of the components. */
  readonly parts: readonly Part[];
  readonly batteries: readonly BatteryLane[];
  readonly plants: readonly PlantLane[];
  readonly consumers: readonly Lane<ConsumerUnit>[];
  freeBatteries: readonly BatteryLane[];
  freePlants: readonly PlantLane[];
  freeConsumers: readonly Lane<ConsumerUnit>[];
  readonly generators: readonly GeneratorUnit[];
  /** The same with the set-points that they are told by themselves; as a part of a site they are told nothing. */
  private readonly arrays: readonly Lane<GeneratorUnit>[];
  /** Those that hold the site's width of frequency response: batteries and plants that may be sold. */
  readonly holders: readonly (BatteryLane | PlantLane)[];
  readonly importMaxKw: number;
  /** 0 where nothing may be sent. */
  readonly exportMaxKw: number;
  /** The most and the least that loads, auxiliaries, PV and wind can come to. */
  readonly mostOthersKw: number;
  readonly leastOthersKw: number;
  /** Share of the rated output that may be sent, 0..1; the site keeps it up to date. */
  outputLimit = 1;
  /** Own plan of the site, which a tracking battery holds when nobody instructs. */
  plan: Series | number;
  /** Each part's curve from `fill`'s instant on, in the order of the components. */
  readonly powers: readonly Stretch[];
  /** Of each part, for PV and wind: what may be sent of it from `fill`'s instant on, in kW, given the others. */
  readonly rooms: readonly Stretch[];
  private readonly generatorAt: readonly number[];
  /** In the order of the components. */
  private readonly lanes: readonly AnyLane[];
  private readonly room = newStretch();
  private serving = true;
  private told: Target = OWN_PLAN;
  private own: readonly OwnTarget[] = NOBODY;
  private reduces = false;
  /** Of each holder in the site's response, 0..1. */
  private shares: readonly number[] = [];
  /** kW of the site's delta that no component could take when it was divided. */
  private leftKw = 0;
  /** Whether a battery or plant is held back by the connection point: 1 above, -1 below its target, 0 not. */
  heldBack = 0;

  constructor(spec: SiteSpec, baseline: SiteBaseline) {
    super();
    this.spec = spec;
    this.plan = baseline.plan;
    const { constraints, capability, components, link } = spec;
    this.importMaxKw = constraints.siteImportMaxKw;
    this.exportMaxKw = capability.reverseFlowAllowed ? constraints.siteExportMaxKw : 0;
    const batteries: BatteryLane[] = [];
    const plants: PlantLane[] = [];
    const consumers: Lane<ConsumerUnit>[] = [];
    const arrays: Lane<GeneratorUnit>[] = [];
    const newRoom = (): Room => ({
      ...constraints,
      siteImportMaxKw: Number.POSITIVE_INFINITY,
      siteExportMaxKw: Number.POSITIVE_INFINITY,
    });
    this.parts = components.map((component) => {
      const room = newRoom();
      if (component.kind === "battery") {
        const unit = new BatteryUnit(component, room, 0);
        batteries.push(new Lane(unit, room, link.latencyMs));
        return unit;
      }
      if (component.kind === "dispatchable") {
        const unit = new DispatchableUnit(component, room, 0);
        plants.push(new Lane(unit, room, link.latencyMs));
        return unit;
      }
      if (component.kind === "consumer") {
        // The site's baseline is not the load's: a part of a site always sheds by its amount.
        const unit = new ConsumerUnit({ ...component, control: "drop_by" }, null);
        consumers.push(new Lane(unit, room, link.latencyMs));
        return unit;
      }
      const unit = new GeneratorUnit(component, room);
      arrays.push(new Lane(unit, room, link.latencyMs));
      return unit;
    });
    const generators = arrays.map(({ unit }) => unit);
    this.arrays = arrays;
    this.freeBatteries = batteries;
    this.freePlants = plants;
    this.freeConsumers = consumers;
    this.batteries = batteries;
    const auxiliaryKw = sum(batteries, ({ unit }) => unit.spec.auxiliaryKw);
    this.mostOthersKw = auxiliaryKw + sum(consumers, ({ unit }) => unit.spec.maxDemandKw);
    this.leastOthersKw = auxiliaryKw - sum(generators, ({ spec: { ratedOutputKw } }) => ratedOutputKw);
    this.plants = plants;
    this.consumers = consumers;
    this.generators = generators;
    this.holders = [...batteries, ...plants].filter(({ unit: { spec: held } }) =>
      held.kind === "battery" ? held.fcrCapable : held.fcrCapable && held.subsidy !== "fit",
    );
    this.powers = components.map(newStretch);
    this.rooms = components.map(newStretch);
    for (const room of this.rooms) beginSum(room, 0, Number.POSITIVE_INFINITY);
    const lanes: readonly AnyLane[] = [...batteries, ...plants, ...consumers, ...arrays];
    this.lanes = this.parts.map((part) => lanes.find(({ unit }) => unit === part)!);
    this.generatorAt = this.parts.flatMap((part, k) => (part.kind === "generator" ? [k] : []));
  }

  get inService(): boolean {
    return this.serving;
  }

  get isTracking(): boolean {
    return this.spec.control === "track" && this.freeBatteries.length > 0;
  }

  /** A part has not heard yet what it was told. */
  get changePending(): boolean {
    return this.nextEffectMs() < Number.POSITIVE_INFINITY;
  }

  private nextEffectMs(): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const lane of this.batteries) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.plants) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.consumers) nextMs = Math.min(nextMs, lane.nextEffectMs);
    for (const lane of this.arrays) nextMs = Math.min(nextMs, lane.nextEffectMs);
    return nextMs;
  }

  advance(atMs: EpochMs): void {
    for (const part of this.parts) part.advance(atMs);
  }

  /**
   * Divides what the site is told over its components, when that has changed; nobody takes over later from one that
   * cannot go on (decisions.md 9). Components that are told something by themselves are left out.
   *
   * @returns whether a load is to be reduced
   */
  tell(told: Target, own: readonly OwnTarget[], division: Division): boolean {
    const { atMs } = division;
    const was = this.told;
    const sameParts = sameOwn(own, this.own);
    const same =
      sameParts &&
      told.instructed === was.instructed &&
      told.deltaKw === was.deltaKw &&
      told.baselineKw === was.baselineKw;
    const sameResponse = sameParts && sameFcr(told.fcr, was.fcr);
    if (same && sameResponse) return this.reduces;
    this.told = told;
    if (!sameParts) this.setApart(own);
    if (!sameParts || !sameWidths(told.fcr, was.fcr)) this.shares = widthShares(this, atMs);
    if (!sameResponse) divideWidth(this, told.fcr, this.shares, atMs);
    if (same) return this.reduces;
    this.leftKw = divideDelta(this, told, division);
    if (!sameParts) this.tellOwn(atMs);
    this.reduces = this.consumers.some((lane) => lane.isTold);
    return this.reduces;
  }

  private setApart(own: readonly OwnTarget[]): void {
    this.own = own;
    for (const lane of this.lanes)
      lane.isOwn = own.some(({ componentId }) => componentId === lane.unit.spec.componentId);
    this.findFree();
  }

  private findFree(): void {
    this.freeBatteries = this.batteries.filter(isFree);
    this.freePlants = this.plants.filter(isFree);
    this.freeConsumers = this.consumers.filter(isFree);
  }

  /** A battery, a plant or an array gets its power, a load by how much to go down. */
  private tellOwn(atMs: EpochMs): void {
    for (const lane of this.arrays) if (!lane.isOwn) lane.tell(Number.NaN, atMs);
    for (const { componentId, baselineKw, deltaKw, fcr } of this.own) {
      const lane = this.lanes.find(({ unit }) => unit.spec.componentId === componentId)!;
      const { unit } = lane;
      if (unit.kind !== "consumer") lane.tell(baselineKw + deltaKw, atMs);
      else if (deltaKw < 0) lane.tell(Math.max(deltaKw, -unit.spec.maxDrReductionKw), atMs);
      else lane.release();
      const share = fcr === null ? 0 : ratedPowerKw([unit.spec]) / ratedPowerKw(this.spec.components);
      lane.tellResponse(fcr === null ? null : { share, fcr }, atMs);
    }
  }

  /** What the k-th component is told. */
  laneOf(k: number): AnyLane {
    return this.lanes[k];
  }

  /** Whether a component answers the frequency by itself. */
  get hasOwnResponse(): boolean {
    return this.own.some(({ fcr }) => fcr !== null);
  }

  /** kW by which the loads are told to go down. */
  get reductionKw(): number {
    let kw = 0;
    for (const lane of this.consumers) kw -= lane.toldKw;
    return kw;
  }

  beginReduction(): void {
    for (const lane of this.consumers) if (lane.isTold) lane.unit.beginReduction();
  }

  /** The reduction is over since `endMs`; loads let go at once. */
  endReduction(endMs: EpochMs): void {
    for (const { unit } of this.consumers) unit.endReduction(endMs);
  }

  /** What the present laws of the parts began with. */
  noteOrigin(out: UnitOrigin): void {
    out.parts = this.parts.map((part, k) => {
      const origin = newOrigin();
      part.noteOrigin(origin);
      const lane = this.lanes[k];
      const toldKw = lane.isTold ? lane.toldKw : Number.NaN;
      return { ...origin, kw: lane.kw, toldKw, response: lane.response, ...(lane.isOwn ? OWN : {}) };
    });
  }

  /** Goes back to where a law began; `follow` then gives it again. */
  recall({ parts }: UnitOrigin, atMs: EpochMs): void {
    assert(parts !== null && parts.length === this.parts.length, "a law of several components has an origin for each");
    parts.forEach((origin, k) => {
      this.parts[k].recall({ ...origin, parts: null }, atMs);
      this.lanes[k].recall(origin);
    });
    this.findFree();
  }

  /** Begins a new law for all parts: they follow what `tell` gave them. @returns when to look at the site again */
  follow(atMs: EpochMs, _target: Target, around: Surroundings): ReplanMs {
    this.serving = around.inService;
    this.heldBack = 0;
    for (const lane of this.batteries) lane.takeEffect(atMs);
    for (const lane of this.plants) lane.takeEffect(atMs);
    for (const lane of this.consumers) {
      lane.takeEffect(atMs);
      lane.target.instructed = lane.kw < 0;
      lane.target.deltaKw = lane.kw < 0 ? lane.kw : 0;
      lane.unit.follow(atMs, lane.target, around);
    }
    for (const lane of this.arrays) {
      lane.takeEffect(atMs);
      lane.target.instructed = !Number.isNaN(lane.kw);
      lane.target.deltaKw = lane.kw;
      lane.unit.follow(atMs, lane.target, around);
    }
    return Math.min(this.nextEffectMs(), steer(this, atMs, around));
  }

  /**
   * Fills `powers` with what flows from an instant on, all told from that instant.
   *
   * @returns until when all of it holds
   */
  fill(atMs: EpochMs): EpochMs {
    const { parts, powers } = this;
    const room = this.room;
    beginSum(room, atMs, this.exportMaxKw);
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k];
      if (part.kind === "generator") continue;
      part.stretchAt(atMs, powers[k]);
      rebase(powers[k], atMs);
      addToSum(room, powers[k]);
    }
    let endMs = room.endMs;
    for (const k of this.generatorAt) {
      parts[k].stretchAt(atMs, powers[k]);
      endMs = Math.min(endMs, powers[k].endMs);
      if (this.exportMaxKw === Number.POSITIVE_INFINITY || !this.serving) continue;
      copyStretch(room, this.rooms[k]);
      endMs = Math.min(endMs, yieldToGrid(powers[k], room));
    }
    return Math.min(endMs, room.endMs);
  }

  /** The sum of all parts as one curve, and what keeps the site from what it was told. */
  stretchAt(atMs: EpochMs, out: Stretch): void {
    const endMs = this.fill(atMs);
    beginSum(out, atMs, 0);
    for (const power of this.powers) addToSum(out, power);
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    this.fillBinding(out, this.powers);
  }

  /** The first of the parts' limits in the order of decisions.md 172 that holds the power back from the delta. */
  fillBinding(out: Stretch, powers: readonly Stretch[]): void {
    out.binds = BINDS.load;
    out.keeps = 0;
    const direction = Math.sign(this.told.deltaKw);
    for (const { binds, keeps } of powers) bindBy(out, binds, keeps, direction);
    if (this.heldBack !== 0) bindBy(out, BINDS.powerLimit, this.heldBack, direction);
    if (this.leftKw > 0) bindBy(out, BINDS.powerLimit, -direction, direction);
  }
}

/** Takes a limit for the one that binds if it comes before what is known to bind, and does not push the way of the delta. */
function bindBy(out: Stretch, binds: number, keeps: number, direction: number): void {
  const best = out.binds === BINDS.load ? BINDS.weather : out.binds;
  if (binds === BINDS.free || best <= binds || keeps * direction > 0) return;
  out.binds = binds;
  out.keeps = keeps;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}
