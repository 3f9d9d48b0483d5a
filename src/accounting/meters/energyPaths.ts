import { Copyable } from "../../base/copyState.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveValue } from "../../device/curve/curve.ts";
import type { Part } from "../../site/components/part.ts";
import type { Stretch } from "../../site/components/stretch.ts";
import { PieceSum, rootsWithin } from "../settlement/gap.ts";
import { PART_LEAF, PART_LEAF_COUNT } from "./partLeaves.ts";

/** Powers and energies nearer to 0 than this are none: the last digits of a sum. */
const NOTHING = 1e-12;

/**
 * Where the energy of a site's components comes from and goes to: generation serves load, then stores, then the grid;
 * a store that gives serves load, then the other stores, then the grid; what is left of load and stores comes from the
 * grid. Several of a kind share in proportion to their power. Auxiliaries are part of their battery's power, and pumps
 * are stores. @see models.md §7
 *
 * Time is cut where any of this changes sides; between two cuts every path is an integral in closed form. Only where
 * several of a kind share one path while their powers change their proportion, the proportion is a quadrature; what
 * they share stays exact.
 */
export class EnergyPaths extends Copyable {
  private readonly kind: readonly number[];
  private readonly powers: readonly Stretch[];
  /** Of each part over the time at hand: kWh or kW, import positive. */
  private readonly amount: Float64Array;
  /** Shares of each part by destination (`toLoad`, `toBattery`, `toGrid`) or origin (`fromGenerator`, `fromGrid`). */
  private readonly flows: Float64Array;
  private readonly proportion: Float64Array;
  private readonly cuts: number[] = [];
  private readonly sum = new PieceSum();

  /** @param powers  filled anew by their owner before each call, told from the piece's start */
  constructor(parts: readonly Part[], powers: readonly Stretch[]) {
    super();
    this.kind = parts.map((part) => {
      if (part.kind === "consumer") return LOAD;
      return part.kind === "battery" || (part.kind === "dispatchable" && part.spec.reservoir !== null)
        ? STORE
        : GENERATION;
    });
    this.powers = powers;
    this.amount = new Float64Array(parts.length);
    this.flows = new Float64Array(parts.length * PART_LEAF_COUNT);
    this.proportion = new Float64Array(parts.length * PART_LEAF_COUNT);
  }

  /** Adds the kWh of the first `spanMs` of the piece to the parts' leaves, which begin at `base`. */
  add(spanMs: number, leaves: Float64Array, base: number): void {
    if (this.isSteady()) {
      for (let k = 0; k < this.powers.length; k++) this.amount[k] = (this.powers[k].kw * spanMs) / MS_PER_HOUR;
      this.divide(this.amount, this.flows);
      return this.addFlows(leaves, base);
    }
    this.cutWhereSidesChange(spanMs);
    let fromMs = 0;
    for (const toMs of this.cuts) {
      if (toMs <= fromMs) continue;
      this.addMoving(fromMs, toMs);
      this.addFlows(leaves, base);
      fromMs = toMs;
    }
  }

  private isSteady(): boolean {
    for (const { kwPerMs, kwPerMs2 } of this.powers) if (kwPerMs !== 0 || kwPerMs2 !== 0) return false;
    return true;
  }

  private addFlows(leaves: Float64Array, base: number): void {
    const flows = this.flows;
    for (let n = 0; n < flows.length; n++) leaves[base + n] += flows[n];
  }

  /** Every instant at which a store turns round, or one of the sums that decide who serves whom changes its sign. */
  private cutWhereSidesChange(spanMs: number): void {
    const cuts = this.cuts;
    cuts.length = 0;
    for (let k = 0; k < this.powers.length; k++) if (this.kind[k] === STORE) this.findRoots([k], 0, spanMs, cuts);
    const turns = [...cuts.sort((a, b) => a - b), spanMs];
    let fromMs = 0;
    for (const toMs of turns) {
      if (toMs <= fromMs) continue;
      this.findSums(fromMs, toMs);
      fromMs = toMs;
    }
    cuts.push(spanMs);
    cuts.sort((a, b) => a - b);
  }

  /** Roots of load less generation, the same with charging, with discharging, and of all. */
  private findSums(fromMs: number, toMs: number): void {
    const loads: number[] = [];
    const generation: number[] = [];
    const charging: number[] = [];
    const giving: number[] = [];
    const middleMs = 0.5 * (fromMs + toMs);
    for (let k = 0; k < this.powers.length; k++) {
      const kw = valueAt(this.powers[k], middleMs);
      if (this.kind[k] === LOAD) loads.push(k);
      else if (this.kind[k] === GENERATION) generation.push(k);
      else if (kw > 0) charging.push(k);
      else giving.push(k);
    }
    this.findRoots([...loads, ...generation], fromMs, toMs, this.cuts);
    if (charging.length > 0) this.findRoots([...loads, ...generation, ...charging], fromMs, toMs, this.cuts);
    if (giving.length > 0) this.findRoots([...loads, ...generation, ...giving], fromMs, toMs, this.cuts);
    if (charging.length > 0 && giving.length > 0)
      this.findRoots([...loads, ...generation, ...charging, ...giving], fromMs, toMs, this.cuts);
  }

  private findRoots(parts: readonly number[], fromMs: number, toMs: number, out: number[]): void {
    const sum = this.sum;
    sum.clear();
    for (const k of parts) {
      sum.addMerged(1, this.powers[k]);
    }
    rootsWithin(sum, 0, fromMs, toMs, out);
  }

  /** A time in which nobody changes sides, with powers that move. */
  private addMoving(fromMs: number, toMs: number): void {
    for (let k = 0; k < this.powers.length; k++) this.amount[k] = energyKwh(this.powers[k], fromMs, toMs);
    this.divide(this.amount, this.flows);
    if (this.hasSharedPath()) this.divideInProportion(fromMs, toMs);
  }

  /** Whether several of a kind share a path of which they do not take all. */
  private hasSharedPath(): boolean {
    for (const kind of [LOAD, GENERATION, STORE]) {
      let users = 0;
      let splits = false;
      for (let k = 0; k < this.amount.length; k++) {
        if (this.kind[k] !== kind || Math.abs(this.amount[k]) <= NOTHING) continue;
        users++;
        for (let leaf = 0; leaf <= PART_LEAF.toGrid; leaf++) {
          const kwh = this.flows[k * PART_LEAF_COUNT + leaf];
          if (NOTHING < kwh && kwh < Math.abs(this.amount[k]) - NOTHING) splits = true;
        }
      }
      if (users > 1 && splits) return true;
    }
    return false;
  }

  /** Sums per path stay as they are; who has how much of them follows the powers through time. */
  private divideInProportion(fromMs: number, toMs: number): void {
    const proportion = this.proportion;
    const total = this.flows.slice();
    const now = this.flows;
    proportion.fill(0);
    for (const [node, weight] of NODES) {
      const atMs = fromMs + node * (toMs - fromMs);
      for (let k = 0; k < this.powers.length; k++) this.amount[k] = valueAt(this.powers[k], atMs);
      this.divide(this.amount, now);
      for (let n = 0; n < now.length; n++) proportion[n] += weight * now[n];
    }
    for (let leaf = 0; leaf <= PART_LEAF.toGrid; leaf++)
      for (const kind of [LOAD, GENERATION, STORE]) {
        let wanted = 0;
        let found = 0;
        for (let k = 0; k < this.kind.length; k++) {
          if (this.kind[k] !== kind) continue;
          wanted += total[k * PART_LEAF_COUNT + leaf];
          found += proportion[k * PART_LEAF_COUNT + leaf];
        }
        for (let k = 0; k < this.kind.length; k++)
          if (this.kind[k] === kind) {
            const n = k * PART_LEAF_COUNT + leaf;
            now[n] = found > 0 ? (wanted * proportion[n]) / found : total[n];
          }
      }
  }

  /** Divides kW or kWh of one time in which nobody changes sides. */
  private divide(amount: Float64Array, flows: Float64Array): void {
    let load = 0;
    let generation = 0;
    let charging = 0;
    let giving = 0;
    for (let k = 0; k < amount.length; k++) {
      if (this.kind[k] === LOAD) load += amount[k];
      else if (amount[k] > 0) charging += amount[k];
      else if (this.kind[k] === STORE) giving -= amount[k];
      else generation -= amount[k];
    }
    const generationToLoad = Math.min(generation, load);
    const generationToStore = Math.min(generation - generationToLoad, charging);
    const storeToLoad = Math.min(giving, load - generationToLoad);
    const storeToStore = Math.min(giving - storeToLoad, charging - generationToStore);
    const loadFromGrid = part(load - generationToLoad - storeToLoad, load);
    const chargingFromSite = part(generationToStore + storeToStore, charging);
    flows.fill(0);
    for (let k = 0; k < amount.length; k++) {
      const at = k * PART_LEAF_COUNT;
      const own = amount[k];
      if (this.kind[k] === LOAD) flows[at + PART_LEAF.fromGrid] = own * loadFromGrid;
      else if (own > 0) {
        flows[at + PART_LEAF.fromGenerator] = own * chargingFromSite;
        flows[at + PART_LEAF.fromGrid] = own - own * chargingFromSite;
      } else if (own < 0) {
        const isStore = this.kind[k] === STORE;
        const toLoad = -own * part(isStore ? storeToLoad : generationToLoad, isStore ? giving : generation);
        const toStore = -own * part(isStore ? storeToStore : generationToStore, isStore ? giving : generation);
        flows[at + PART_LEAF.toLoad] = toLoad;
        flows[at + PART_LEAF.toBattery] = toStore;
        flows[at + PART_LEAF.toGrid] = Math.max(0, -own - toLoad - toStore);
      }
    }
  }
}

const LOAD = 0;
const GENERATION = 1;
const STORE = 2;

const part = (some: number, all: number): number => (some <= NOTHING || all <= 0 ? 0 : Math.min(1, some / all));

/** Nodes and weights of Gauss and Legendre on 0..1, five points. */
const NODES = [
  [0.046910077030668, 0.118463442528095],
  [0.230765344947158, 0.239314335249683],
  [0.5, 0.284444444444444],
  [0.769234655052842, 0.239314335249683],
  [0.953089922969332, 0.118463442528095],
] as const;

const valueAt = ({ kw, kwPerMs, kwPerMs2, ratePerMs }: Stretch, afterMs: number): number =>
  curveValue(kw, kwPerMs, kwPerMs2, ratePerMs, afterMs);

function energyKwh({ kw, kwPerMs, kwPerMs2, ratePerMs }: Stretch, fromMs: number, toMs: number): number {
  const untilEnd = curveIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, toMs);
  const untilStart = fromMs === 0 ? 0 : curveIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, fromMs);
  return (untilEnd - untilStart) / MS_PER_HOUR;
}
