import { Copyable } from "../../base/copyState.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveKw } from "../../engine/device/curve/curve.ts";
import { type Component, kindOf } from "../../engine/site/components/registry.ts";
import type { Segment } from "../../engine/site/components/segment.ts";
import { COMPONENT_REGISTER, COMPONENT_REGISTER_COUNT } from "../../engine/site/meters/energyRegisters.ts";
import { findRoots, SegmentSum } from "../settlement/segmentSum.ts";

/** Smaller powers and energies are rounding errors of sums and count as 0. */
const ZERO_TOLERANCE = 1e-12;

/**
 * Energy paths between the components of a site and the grid. Generation supplies loads, then storages, then the grid. A
 * discharging storage supplies loads, then the other storages, then the grid. The grid supplies the remainder of loads
 * and storages. Components of one role share in proportion to their power. Auxiliaries are part of their battery's power,
 * and pumps count as storages. @see docs/model/connection-point.md#energy-paths
 *
 * Each interval is split where one of these balances changes its sign. Between two splits every path is an integral in
 * closed form. Only the proportions in which varying powers share one path are computed by quadrature; the energy of
 * the path stays exact.
 */
export class EnergyPaths extends Copyable {
  private readonly nodeKinds: readonly number[];
  private readonly segments: readonly Segment[];
  /** Of each component over the present interval: kWh or kW, import positive. */
  private readonly amounts: Float64Array;
  /** Flows of each component by destination (`toLoadKwh`, `toBattery`, `toGridKwh`) or origin (`fromGenerator`, `fromGrid`). */
  private readonly flows: Float64Array;
  private readonly proportion: Float64Array;
  private readonly cutsMs: number[] = [];
  private readonly sum = new SegmentSum();

  /** @param segments  updated by the caller before each call, with the start of the interval as origin */
  constructor(components: readonly Component[], segments: readonly Segment[]) {
    super();
    this.nodeKinds = components.map((component) => NODE_KINDS[kindOf(component).accounting.energyRole(component.spec)]);
    this.segments = segments;
    this.amounts = new Float64Array(components.length);
    this.flows = new Float64Array(components.length * COMPONENT_REGISTER_COUNT);
    this.proportion = new Float64Array(components.length * COMPONENT_REGISTER_COUNT);
  }

  /** Adds the kWh of the first `spanMs` of the interval to the component registers, which begin at `base`. */
  addEnergy(spanMs: number, registers: Float64Array, base: number): void {
    if (this.isSteady()) {
      for (let k = 0; k < this.segments.length; k++) this.amounts[k] = (this.segments[k].kw * spanMs) / MS_PER_HOUR;
      this.splitFlows(this.amounts, this.flows);
      return this.addPathEnergy(registers, base);
    }
    this.cutAtSignChanges(spanMs);
    let fromMs = 0;
    for (const toMs of this.cutsMs) {
      if (toMs <= fromMs) continue;
      this.addVarying(fromMs, toMs);
      this.addPathEnergy(registers, base);
      fromMs = toMs;
    }
  }

  private isSteady(): boolean {
    for (const { kwPerMs, kwPerMs2 } of this.segments) if (kwPerMs !== 0 || kwPerMs2 !== 0) return false;
    return true;
  }

  private addPathEnergy(registers: Float64Array, base: number): void {
    const flows = this.flows;
    for (let n = 0; n < flows.length; n++) registers[base + n] += flows[n];
  }

  /** Collects all instants at which a storage reverses or a balance between the roles changes its sign. */
  private cutAtSignChanges(spanMs: number): void {
    const cuts = this.cutsMs;
    cuts.length = 0;
    for (let k = 0; k < this.segments.length; k++)
      if (this.nodeKinds[k] === STORE) this.findRoots([k], 0, spanMs, cuts);
    const turns = [...cuts.sort((a, b) => a - b), spanMs];
    let fromMs = 0;
    for (const toMs of turns) {
      if (toMs <= fromMs) continue;
      this.sumByKind(fromMs, toMs);
      fromMs = toMs;
    }
    cuts.push(spanMs);
    cuts.sort((a, b) => a - b);
  }

  /** Collects the roots of load minus generation, alone and with charging, discharging and both. */
  private sumByKind(fromMs: number, toMs: number): void {
    const loads: number[] = [];
    const generation: number[] = [];
    const charging: number[] = [];
    const discharging: number[] = [];
    const middleMs = 0.5 * (fromMs + toMs);
    for (let k = 0; k < this.segments.length; k++) {
      const kw = curveKw(this.segments[k], middleMs);
      if (this.nodeKinds[k] === LOAD) loads.push(k);
      else if (this.nodeKinds[k] === GENERATION) generation.push(k);
      else if (kw > 0) charging.push(k);
      else discharging.push(k);
    }
    this.findRoots([...loads, ...generation], fromMs, toMs, this.cutsMs);
    if (charging.length > 0) this.findRoots([...loads, ...generation, ...charging], fromMs, toMs, this.cutsMs);
    if (discharging.length > 0) this.findRoots([...loads, ...generation, ...discharging], fromMs, toMs, this.cutsMs);
    if (charging.length > 0 && discharging.length > 0)
      this.findRoots([...loads, ...generation, ...charging, ...discharging], fromMs, toMs, this.cutsMs);
  }

  private findRoots(components: readonly number[], fromMs: number, toMs: number, out: number[]): void {
    const sum = this.sum;
    sum.clear();
    for (const k of components) {
      sum.addMerged(1, this.segments[k]);
    }
    findRoots(sum, 0, fromMs, toMs, out);
  }

  /** Computes the flows of an interval without sign changes, with varying powers. */
  private addVarying(fromMs: number, toMs: number): void {
    for (let k = 0; k < this.segments.length; k++) this.amounts[k] = energyKwh(this.segments[k], fromMs, toMs);
    this.splitFlows(this.amounts, this.flows);
    if (this.hasSharedPath()) this.splitInProportion(fromMs, toMs);
  }

  /** Whether several components of one role share a path that carries only part of their energy. */
  private hasSharedPath(): boolean {
    for (const kind of [LOAD, GENERATION, STORE]) {
      let users = 0;
      let splits = false;
      for (let k = 0; k < this.amounts.length; k++) {
        if (this.nodeKinds[k] !== kind || Math.abs(this.amounts[k]) <= ZERO_TOLERANCE) continue;
        users++;
        for (let register = 0; register <= COMPONENT_REGISTER.toGrid; register++) {
          const kwh = this.flows[k * COMPONENT_REGISTER_COUNT + register];
          if (ZERO_TOLERANCE < kwh && kwh < Math.abs(this.amounts[k]) - ZERO_TOLERANCE) splits = true;
        }
      }
      if (users > 1 && splits) return true;
    }
    return false;
  }

  /** Distributes the sum of each path over its components in proportion to their powers over time. */
  private splitInProportion(fromMs: number, toMs: number): void {
    const proportion = this.proportion;
    const total = this.flows.slice();
    const now = this.flows;
    proportion.fill(0);
    for (const [node, weight] of QUADRATURE_NODES) {
      const atMs = fromMs + node * (toMs - fromMs);
      for (let k = 0; k < this.segments.length; k++) this.amounts[k] = curveKw(this.segments[k], atMs);
      this.splitFlows(this.amounts, now);
      for (let n = 0; n < now.length; n++) proportion[n] += weight * now[n];
    }
    for (let register = 0; register <= COMPONENT_REGISTER.toGrid; register++)
      for (const kind of [LOAD, GENERATION, STORE]) {
        let wanted = 0;
        let found = 0;
        for (let k = 0; k < this.nodeKinds.length; k++) {
          if (this.nodeKinds[k] !== kind) continue;
          wanted += total[k * COMPONENT_REGISTER_COUNT + register];
          found += proportion[k * COMPONENT_REGISTER_COUNT + register];
        }
        for (let k = 0; k < this.nodeKinds.length; k++)
          if (this.nodeKinds[k] === kind) {
            const n = k * COMPONENT_REGISTER_COUNT + register;
            now[n] = found > 0 ? (wanted * proportion[n]) / found : total[n];
          }
      }
  }

  /** Splits the kW or kWh of an interval without sign changes into flows. */
  private splitFlows(amount: Float64Array, flows: Float64Array): void {
    let load = 0;
    let generation = 0;
    let charging = 0;
    let discharging = 0;
    for (let k = 0; k < amount.length; k++) {
      if (this.nodeKinds[k] === LOAD) load += amount[k];
      else if (amount[k] > 0) charging += amount[k];
      else if (this.nodeKinds[k] === STORE) discharging -= amount[k];
      else generation -= amount[k];
    }
    const generationToLoad = Math.min(generation, load);
    const generationToStore = Math.min(generation - generationToLoad, charging);
    const storeToLoad = Math.min(discharging, load - generationToLoad);
    const storeToStore = Math.min(discharging - storeToLoad, charging - generationToStore);
    const loadFromGrid = ratioOf(load - generationToLoad - storeToLoad, load);
    const chargingFromSite = ratioOf(generationToStore + storeToStore, charging);
    flows.fill(0);
    for (let k = 0; k < amount.length; k++) {
      const at = k * COMPONENT_REGISTER_COUNT;
      const own = amount[k];
      if (this.nodeKinds[k] === LOAD) flows[at + COMPONENT_REGISTER.fromGrid] = own * loadFromGrid;
      else if (own > 0) {
        flows[at + COMPONENT_REGISTER.fromGenerator] = own * chargingFromSite;
        flows[at + COMPONENT_REGISTER.fromGrid] = own - own * chargingFromSite;
      } else if (own < 0) {
        const isStore = this.nodeKinds[k] === STORE;
        const toLoad = -own * ratioOf(isStore ? storeToLoad : generationToLoad, isStore ? discharging : generation);
        const toStore = -own * ratioOf(isStore ? storeToStore : generationToStore, isStore ? discharging : generation);
        flows[at + COMPONENT_REGISTER.toLoad] = toLoad;
        flows[at + COMPONENT_REGISTER.toBattery] = toStore;
        flows[at + COMPONENT_REGISTER.toGrid] = Math.max(0, -own - toLoad - toStore);
      }
    }
  }
}

const LOAD = 0;
const GENERATION = 1;
const STORE = 2;
const NODE_KINDS = { load: LOAD, generation: GENERATION, storage: STORE };

const ratioOf = (some: number, all: number): number =>
  some <= ZERO_TOLERANCE || all <= 0 ? 0 : Math.min(1, some / all);

/** Nodes and weights of the five-point Gauss–Legendre quadrature on 0..1. */
const QUADRATURE_NODES = [
  [0.046910077030668, 0.118463442528095],
  [0.230765344947158, 0.239314335249683],
  [0.5, 0.284444444444444],
  [0.769234655052842, 0.239314335249683],
  [0.953089922969332, 0.118463442528095],
] as const;

function energyKwh({ kw, kwPerMs, kwPerMs2, ratePerMs }: Segment, fromMs: number, toMs: number): number {
  const untilEnd = curveIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, toMs);
  const untilStart = fromMs === 0 ? 0 : curveIntegral(kw, kwPerMs, kwPerMs2, ratePerMs, fromMs);
  return (untilEnd - untilStart) / MS_PER_HOUR;
}
