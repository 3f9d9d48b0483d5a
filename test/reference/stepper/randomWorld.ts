// Small random worlds for comparing two implementations: whole seconds only, kinds of features can be switched off.
import { hexId } from "../../../src/base/ids.ts";
import type { Sku } from "../../../src/base/sku.ts";
import type { Interpolation, Series } from "../../../src/engine/series/model/series.ts";
import type { ScenarioEvent, WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { BaselineSpec, SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import type {
  AwardSpec,
  InstructionSpec,
  NumberOrSeries,
} from "../../../src/engine/vpp/instructions/instructionSpec.ts";
import {
  award,
  battery,
  consumer,
  evenSeries,
  instruction,
  pv,
  resourceTypeOf,
  site,
  T0,
  vpp,
  world,
} from "./build.ts";

/** What a world may hold besides plain batteries, arrays and consumers under plain awards. */
export const FEATURES = [
  "ramp",
  "consumer_ramp",
  "delay",
  "latency",
  "taper",
  "self_discharge",
  "auxiliary",
  "grid_limit",
  "soc_outside",
  "battery_plan",
  "pv_plan",
  "pv",
  "consumer",
  "dr_rules",
  "rebound",
  "track",
  "linear",
  "fit",
  "marketable",
  "sku",
  "instructions",
  "outages",
  "link_down",
  "output_control",
  "warning",
  "weights",
  "membership",
  "settled",
  "odd_times",
  "redistribute",
  "two_vpps",
  "activation",
  "fine_plan",
  "edges",
  "controls",
  "dead_link",
  "override",
  "fcr",
  "fcr_fault",
  "compound_fcr",
  "beside",
  "energy_test",
  "follow",
  "prices",
  "limits_by_time",
  "derate",
  "irradiance",
  "fcr_form",
  "delivery_ratio",
  "baseline_error",
] as const;

export type Feature = (typeof FEATURES)[number];

/** Draws in a row, each a hash of a counter. */
class SeededChooser {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 <= x < 1. */
  fraction(): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
    x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.int(0, choices.length - 1)];
  }

  chance(p: number): boolean {
    return this.fraction() < p;
  }
}

/** One purpose's own dice: switching a feature off leaves the rest of the world as it was. */
const chooserFor = (seed: number, purpose: string): SeededChooser =>
  new SeededChooser(Number.parseInt(hexId(`${seed}:${purpose}`).slice(0, 8), 16));

interface WorldDraw {
  readonly seed: number;
  readonly hours: number;
  readonly features: (feature: Feature) => boolean;
}

export function randomWorld(seed: number, features: readonly Feature[] = FEATURES): WorldSpec {
  const dice = chooserFor(seed, "shape");
  const draw: WorldDraw = { seed, hours: dice.int(2, 6), features: (feature) => features.includes(feature) };
  const sites = Array.from({ length: dice.int(2, 6) }, (_, k) => randomSite(draw, k));
  const vppCount = draw.features("two_vpps") && sites.length >= 4 && dice.chance(0.4) ? 2 : 1;
  const spare = draw.features("membership") && sites.length > 2 * vppCount ? 1 : 0;
  const vpps = Array.from({ length: vppCount }, (_, v) => {
    const own = sites.map((_, k) => k).filter((k) => k % vppCount === v && k < sites.length - spare);
    const weights = own.map((k) => [k, randomWeight(chooserFor(seed, `weight ${k}`))] as const);
    const redistribute = chooserFor(seed, `options ${v}`).chance(0.25) && draw.features("redistribute");
    const immediateOverridesSchedule = chooserFor(seed, `override ${v}`).chance(0.5) && draw.features("override");
    const deltaExcess = redistribute ? "redistribute" : "uncovered";
    const tested = chooserFor(seed, `energy test ${v}`);
    const fcrEnergyTestMinutes = tested.chance(0.3) && draw.features("energy_test") ? tested.pick([5, 30, 120]) : 0;
    const pvSetpoint = chooserFor(seed, `follow ${v}`).chance(0.5) && draw.features("follow") ? "follow" : "hold";
    const options = { deltaExcess, immediateOverridesSchedule, fcrEnergyTestMinutes, pvSetpoint } as const;
    return vpp(`vpp-${v}`, sites, weights, options);
  });
  const awards = vpps.flatMap((_, v) => {
    const own = randomAwards(draw, v);
    return draw.features("fcr")
      ? [...own.map((row) => withCoexistingAwards(draw, row)), ...coexistingAwards(draw, v)]
      : own;
  });
  return world(sites, {
    endMs: T0 + draw.hours * 3_600_000,
    seed,
    vpps,
    awards: draw.features("prices") ? awards.map((row) => priced(draw, row)) : awards,
    instructions: draw.features("instructions") ? vpps.flatMap((_, v) => randomInstructions(draw, v, awards)) : [],
    events: randomEvents(draw, sites, vppCount, spare === 1 ? sites.length - 1 : null),
    frequencyHz: draw.features("fcr") ? randomFrequency(draw) : 50,
    energyPriceJpyPerKwh: draw.features("prices") ? randomMarketPrice(draw) : null,
  });
}

/** Prices and penalties, of which some change over time: seldom at the steps of anything else. */
function priced(draw: WorldDraw, row: AwardSpec): AwardSpec {
  const dice = chooserFor(draw.seed, `prices ${row.awardId}`);
  const price = () => {
    if (dice.chance(0.3)) return null;
    if (dice.chance(0.3)) return dice.int(-5, 40);
    const minutes = dice.pick([7, 30]);
    const values = Array.from({ length: Math.ceil((60 * (draw.hours + 25)) / minutes) }, () => dice.int(-5, 40));
    return evenSeries("price", minutes, values);
  };
  return { ...row, capacityPriceJpyPerKwHour: price(), priceJpyPerKwh: price(), penaltyJpyPerKwh: price() };
}

/** A price of energy at the connection points that steps beside everything else, or none. */
function randomMarketPrice(draw: WorldDraw): Series | null {
  const dice = chooserFor(draw.seed, "market price");
  if (dice.chance(0.3)) return null;
  const minutes = dice.pick([11, 30]);
  const values = Array.from({ length: Math.ceil((60 * (draw.hours + 1)) / minutes) }, () => dice.int(-5, 40));
  return evenSeries("market", minutes, values);
}

/** Steps of whole seconds around 50 Hz, now and then far from it. */
function randomFrequency(draw: WorldDraw): Series | number {
  const dice = chooserFor(draw.seed, "frequency");
  if (dice.chance(0.3)) return dice.pick([49.7, 49.95, 50, 50.005, 50.1, 50.4]);
  const stepMinutes = dice.pick([5, 20, 60, 300]) / 60;
  const farHz = dice.pick([0.02, 0.1, 0.6]);
  const count = Math.ceil(((draw.hours + 1) * 60) / stepMinutes);
  const hz = () => 50 + farHz * (dice.fraction() + dice.fraction() - 1);
  const isLinear = draw.features("fcr_form") && chooserFor(draw.seed, "frequency form").chance(0.3);
  return evenSeries("frequency", stepMinutes, Array.from({ length: count }, hz), isLinear ? "linear" : "step");
}

/** Products that nothing can run beside are changed to frr; some compounds hold FCR capacity as well. */
function withCoexistingAwards(draw: WorldDraw, row: AwardSpec): AwardSpec {
  const dice = chooserFor(draw.seed, `width ${row.awardId}`);
  if (row.sku === null || row.sku === "s-frr") return { ...row, sku: "frr" };
  if (row.sku !== "compound" || !draw.features("compound_fcr") || dice.chance(0.3)) return row;
  return { ...row, fcrResponseKw: Math.round(10 * Math.abs(row.deltaKw ?? 0) * dice.fraction()) / 10 };
}

/** Awards of FCR capacity beside the awards of a VPP and, with `beside`, reserves of a product of their own. */
function coexistingAwards(draw: WorldDraw, v: number): AwardSpec[] {
  const dice = chooserFor(draw.seed, `beside ${v}`);
  const awardSeries = (name: string, sku: Sku, amounts: () => Partial<AwardSpec>) => {
    const rows: AwardSpec[] = [];
    let fromMs = T0 + dice.int(0, 30) * 60_000;
    while (rows.length < 4 && fromMs < T0 + draw.hours * 3_600_000) {
      const untilMs = fromMs + dice.pick([10, 30, 45, 90]) * 60_000;
      const registeredMs = dice.chance(0.5) ? T0 : Math.max(T0, fromMs - dice.pick([0, 7, 60]) * 60_000);
      rows.push(
        award(`${name}-${v}-${rows.length}`, [fromMs, untilMs], 0, { vpp: v, sku, registeredMs, ...amounts() }),
      );
      fromMs = untilMs + dice.pick([0, 0, 13]) * 60_000;
    }
    return rows;
  };
  const fcrAwards = awardSeries("F", "fcr", () => ({ deltaKw: null, fcrResponseKw: dice.int(0, 6000) / 10 }));
  const reserves = awardSeries("S", "s-frr", () => ({ deltaKw: dice.int(-300, 200) }));
  return draw.features("beside") ? [...fcrAwards, ...reserves] : fcrAwards;
}

const randomWeight = (dice: SeededChooser): number => dice.pick([0, 1, 33, 50, 100, 100, 100, 150, 200, 333.3]);

function randomSite(draw: WorldDraw, k: number): SiteSpec {
  const dice = chooserFor(draw.seed, `site ${k}`);
  const roll = dice.fraction();
  if (roll < 0.3 && draw.features("pv")) return randomPvPlant(draw, k);
  if (roll > 0.65 && draw.features("consumer")) return randomConsumer(draw, k);
  return randomBattery(draw, k);
}

const siteOf = (
  draw: WorldDraw,
  name: string,
  component: Parameters<typeof site>[1],
  given: Partial<SiteSpec>,
): SiteSpec => {
  const dice = chooserFor(draw.seed, `common ${name}`);
  const plain = site(name, component, given);
  const own: readonly Sku[] =
    dice.chance(0.25) && draw.features("marketable") ? ["frr", "rr", "negawatt-spot"] : plain.capability.marketable;
  // The stepper knows one reduction at a time: consumers take no part in what runs beside the others.
  const isLoad = component.kind === "consumer" && draw.features("beside");
  const marketable = isLoad ? own.filter((sku) => sku !== "s-frr") : own;
  const latencyMs = dice.chance(0.3) && draw.features("latency") ? dice.int(1, 5) * 1000 : 0;
  // Between never and always lies chance, of which two implementations draw differently.
  const lossProbability = chooserFor(draw.seed, `loss ${name}`).chance(0.2) && draw.features("dead_link") ? 1 : 0;
  return {
    ...plain,
    capability: { ...plain.capability, marketable },
    link: { lossProbability, latencyMs },
    fcr: randomFcrConfig(draw, name, plain.fcr),
    baselineError:
      component.kind === "consumer" && plain.baseline.method === "zero" ? undefined : randomError(draw, name),
  };
};

/** Of reported slots, in half of the sites. */
function randomError(draw: WorldDraw, owner: string): SiteSpec["baselineError"] {
  const dice = chooserFor(draw.seed, `error ${owner}`);
  if (!draw.features("baseline_error") || dice.chance(0.5)) return undefined;
  return {
    biasKw: dice.pick([0, 0, -20, 30]),
    spreadKw: dice.pick([0, 10, 40]),
    correlationMs: dice.pick([0, 60, 240]) * 60_000,
  };
}

function randomFcrConfig(draw: WorldDraw, name: string, plain: SiteSpec["fcr"]): SiteSpec["fcr"] {
  const dice = chooserFor(draw.seed, `fcr ${name}`);
  if (!draw.features("fcr_form")) return plain;
  return {
    ...plain,
    deadbandForm: dice.chance(0.5) ? "full" : undefined,
    responseDelayMs: dice.pick([0, 1000, 2000, 60_000]),
    upDeadbandHz: dice.pick([0, 0.01, 0.015]),
    upDroopPct: dice.pick([1, 5]),
  };
}

function randomBattery(draw: WorldDraw, k: number): SiteSpec {
  const dice = chooserFor(draw.seed, `battery ${k}`);
  const { features } = draw;
  const maybe = <T>(feature: Feature, value: T, otherwise: T): T =>
    features(feature) && dice.chance(0.4) ? value : otherwise;
  const powerKw = dice.int(5, 50) * 10;
  const ramp = maybe("ramp", dice.pick([0.5, 1, 2.5, 7, 20]), null);
  const auxiliaryKw = maybe("auxiliary", dice.int(1, 30) / 2, 0);
  const component = battery({
    fcrCapable: features("fcr") && chooserFor(draw.seed, `capable ${k}`).chance(0.75),
    ratedCapKwh: dice.int(10, 120) * 10,
    importMaxKw: powerKw,
    exportMaxKw: dice.chance(0.5) ? powerKw : dice.int(5, 50) * 10,
    socOpMinPct: dice.pick([0, 5, 10, 20]),
    socOpMaxPct: dice.pick([80, 90, 95, 100]),
    initialSocPct: maybe("soc_outside", dice.pick([2, 98, 100]), dice.int(20, 80)),
    chargeEfficiency: dice.pick([0.9, 0.95, 1]),
    dischargeEfficiency: dice.pick([0.88, 0.95, 1]),
    selfDischargePctPerDay: maybe("self_discharge", dice.pick([0.5, 3, 10]), 0),
    auxiliaryKw,
    responseDelayMs: maybe("delay", dice.int(1, 90) * 1000, 0),
    rampKwPerS: ramp,
    powerTaper: maybe("taper", randomTaper(dice), null),
  });
  const plain = site(`battery-${k}`, component).constraints;
  const baseline: BaselineSpec = features("battery_plan")
    ? randomPlan(draw, `battery ${k}`, -150, 150)
    : { method: "zero" };
  const limited = dice.chance(0.3) && features("grid_limit");
  const constraints = limited
    ? {
        ...plain,
        siteImportMaxKw: randomLimit(draw, `battery ${k} import`, dice.int(3, 40) * 10),
        siteExportMaxKw: randomLimit(draw, `battery ${k} export`, dice.int(3, 40) * 10),
      }
    : plain;
  return siteOf(draw, `battery-${k}`, component, { baseline, constraints });
}

/** A limit of the connection point: in half of the worlds a step series around the constant one. */
function randomLimit(draw: WorldDraw, owner: string, kw: number): Series | number {
  const dice = chooserFor(draw.seed, `limit ${owner}`);
  if (!draw.features("limits_by_time") || dice.chance(0.5)) return kw;
  const stepMinutes = dice.pick([7, 15, 30, 60]);
  const count = Math.ceil(((draw.hours + 1) * 60) / stepMinutes);
  const values = Array.from({ length: count }, () => Math.round(kw * dice.pick([0, 0.4, 1, 1, 1.5])));
  return evenSeries(`limit ${owner}`, stepMinutes, values);
}

function randomTaper(dice: SeededChooser) {
  const low = dice.int(15, 40);
  const high = dice.int(60, 85);
  return [
    { socPct: 5, importFraction: 1, exportFraction: dice.int(1, 5) / 10 },
    { socPct: low, importFraction: 1, exportFraction: 1 },
    { socPct: high, importFraction: 1, exportFraction: 1 },
    { socPct: 100, importFraction: dice.int(1, 5) / 10, exportFraction: dice.int(5, 10) / 10 },
  ];
}

/** A plan of its own, on half hours or finer. */
function randomPlan(draw: WorldDraw, owner: string, lowKw: number, highKw: number): BaselineSpec {
  const dice = chooserFor(draw.seed, `plan ${owner}`);
  const kw = () => dice.int(lowKw * 10, highKw * 10) / 10;
  if (dice.chance(0.4)) return { method: "zero" };
  if (dice.chance(0.4)) return { method: "constant", kw: kw() };
  const fine = chooserFor(draw.seed, `fine plan ${owner}`);
  const stepMinutes = draw.features("fine_plan") ? fine.pick([1, 5, 15, 30]) : 30;
  const interpolation = draw.features("fine_plan") && draw.features("linear") && fine.chance(0.5) ? "linear" : "step";
  // Means of whole tenths could lie half-way between two tenths, where the last digit of a sum decides.
  const value = draw.features("fine_plan") ? () => lowKw + (highKw - lowKw) * fine.fraction() : kw;
  const values = Array.from({ length: ((draw.hours + 1) * 60) / stepMinutes }, value);
  return { method: "series", plan: evenSeries(`plan ${owner}`, stepMinutes, values, interpolation) };
}

function randomSeries(draw: WorldDraw, owner: string, value: (k: number, count: number) => number): Series {
  const dice = chooserFor(draw.seed, `series ${owner}`);
  const stepMinutes = dice.pick([1, 5, 10, 15, 30]);
  const interpolation: Interpolation = dice.chance(0.5) && draw.features("linear") ? "linear" : "step";
  const count = ((draw.hours + 1) * 60) / stepMinutes;
  return evenSeries(
    owner,
    stepMinutes,
    Array.from({ length: count }, (_, k) => value(k, count)),
    interpolation,
  );
}

function randomPvPlant(draw: WorldDraw, k: number): SiteSpec {
  const dice = chooserFor(draw.seed, `array ${k}`);
  const peakKw = dice.int(50, 500);
  const rated = dice.int(50, 500);
  const generation = randomSeries(draw, `sun ${k}`, (j, count) =>
    Math.max(0, peakKw * Math.sin((Math.PI * 1.3 * j) / count - 0.3) * (0.6 + 0.4 * dice.fraction())),
  );
  const component = pv(generation, {
    generatorKind: dice.chance(0.2) ? "wind" : "pv",
    ratedOutputKw: rated,
    subsidy: dice.chance(0.25) && draw.features("fit") ? "fit" : "none",
  });
  const plain = site(`pv-${k}`, component).constraints;
  const constraints =
    dice.chance(0.3) && draw.features("grid_limit")
      ? { ...plain, siteExportMaxKw: randomLimit(draw, `pv ${k} export`, dice.int(50, 300)) }
      : plain;
  const baseline: BaselineSpec = draw.features("pv_plan") ? randomPlan(draw, `pv ${k}`, -200, 0) : { method: "zero" };
  return siteOf(draw, `pv-${k}`, component, { constraints, baseline });
}

function randomConsumer(draw: WorldDraw, k: number): SiteSpec {
  const dice = chooserFor(draw.seed, `consumer ${k}`);
  const { features } = draw;
  const baseKw = dice.int(100, 600);
  const load = randomSeries(draw, `load ${k}`, () => baseKw * (0.7 + 0.6 * dice.fraction()));
  const rules = dice.chance(0.6) && features("dr_rules");
  const component = consumer(load, {
    drCapable: !dice.chance(0.15),
    maxDemandKw: dice.chance(0.3) ? Math.round(baseKw * 1.1) : 3000,
    maxDrReductionKw: dice.int(2, 30) * 10,
    minDrReductionKw: rules ? dice.pick([0, 10, 30]) : 0,
    minDrDurationMs: rules ? dice.pick([0, 20, 30]) * 60_000 : 0,
    minDrCooldownMs: rules ? dice.pick([0, 10, 30, 60]) * 60_000 : 0,
    responseDelayMs: dice.chance(0.4) && features("delay") ? dice.int(1, 120) * 1000 : 0,
    rampKwPerS: dice.chance(0.4) && features("consumer_ramp") ? dice.pick([0.5, 2, 5, 20]) : null,
    reboundFraction: dice.chance(0.6) && features("rebound") ? dice.pick([0.1, 0.3, 1]) : 0,
    reboundMs: dice.pick([10, 30, 60]) * 60_000,
    control: dice.chance(0.4) && features("track") ? "track" : "drop_by",
    deliveryRatio: features("delivery_ratio") ? chooserFor(draw.seed, `ratio ${k}`).pick([0, 0.8, 1, 1.5]) : undefined,
  });
  const slots = Array.from({ length: 2 * draw.hours + 2 }, () => baseKw * (0.8 + 0.4 * dice.fraction()));
  const baseline = dice.pick<BaselineSpec>([
    { method: "perfect" },
    { method: "perfect" },
    { method: "constant", kw: baseKw },
    { method: "series", plan: evenSeries(`slots ${k}`, 30, slots) },
    { method: "zero" },
  ]);
  return siteOf(draw, `consumer-${k}`, component, { baseline });
}

const DELTA_SKUS: readonly (Sku | null)[] = [
  null,
  null,
  "s-frr",
  "frr",
  "frr",
  "rr",
  "rr-fit",
  "compound",
  "exchange-da",
  "exchange-ttv",
  "negawatt-spot",
];

/** 2 to 8 awards of one VPP, back to back or apart, the last one now and then beyond the end. */
function randomAwards(draw: WorldDraw, v: number): AwardSpec[] {
  const dice = chooserFor(draw.seed, `awards ${v}`);
  const unitMs = dice.chance(0.3) && draw.features("odd_times") ? 1000 : 60_000;
  const unit = (minutes: number) => Math.round((minutes * 60_000) / unitMs) * unitMs;
  const awards: AwardSpec[] = [];
  let fromMs = T0 + (dice.chance(0.3) ? 0 : unit(dice.int(1, 40)));
  const skuDice = chooserFor(draw.seed, `skus ${v}`);
  let sku = draw.features("sku") ? skuDice.pick(DELTA_SKUS) : null;
  const count = dice.int(2, 8);
  while (awards.length < count && fromMs < T0 + draw.hours * 3_600_000) {
    const untilMs = fromMs + unit(dice.pick([5, 15, 30, 30, 45, 60, 90]) + (unitMs === 1000 ? dice.fraction() : 0));
    const size = dice.int(1, 800);
    const deltaKw = dice.chance(0.7) || sku === "negawatt-spot" ? -size : size;
    const registeredMs = dice.chance(0.5) ? T0 : Math.max(T0, fromMs - unit(dice.pick([0, 5, 60])));
    const activation = draw.features("activation") ? randomActivation(draw, `${v} ${awards.length}`) : 1;
    awards.push(
      award(`A-${v}-${awards.length}`, [fromMs, untilMs], deltaKw, { vpp: v, sku, registeredMs, activation }),
    );
    fromMs = untilMs + (dice.chance(0.5) ? 0 : unit(dice.int(2, 40)));
    if (draw.features("sku") && skuDice.chance(0.6)) sku = skuDice.pick(DELTA_SKUS);
  }
  return awards;
}

function randomActivation(draw: WorldDraw, owner: string): NumberOrSeries {
  const dice = chooserFor(draw.seed, `activation ${owner}`);
  const share = () => dice.pick([0, 0.25, 0.5, 0.9, 1, 1]);
  if (dice.chance(0.6)) return share();
  const stepMinutes = dice.pick([1, 5, 15]);
  return evenSeries(
    `calls ${owner}`,
    stepMinutes,
    Array.from({ length: ((draw.hours + 1) * 60) / stepMinutes }, share),
  );
}

/** With `edges`, half of them at the start or end of an award of their VPP or at the instant of another. */
function randomInstructions(draw: WorldDraw, v: number, awards: readonly AwardSpec[]): InstructionSpec[] {
  const dice = chooserFor(draw.seed, `instructions ${v}`);
  const edges = awards.filter((row) => row.vpp === v).flatMap(({ startMs, endMs }) => [startMs, endMs]);
  const endMs = T0 + draw.hours * 3_600_000;
  const orders: InstructionSpec[] = [];
  for (let k = dice.int(0, 4); k > 0; k--) {
    const unitMs = draw.features("odd_times") ? 1000 : 60_000;
    const anyMs = T0 + dice.int(0, (draw.hours * 3_600_000) / unitMs - 1) * unitMs;
    const edgeDice = chooserFor(draw.seed, `edge ${v} ${k}`);
    const atEdge = draw.features("edges") && edgeDice.chance(0.5);
    const atMs = atEdge ? edgeDice.pick([...edges.filter((ms) => ms < endMs), ...orders.map((o) => o.atMs)]) : anyMs;
    const deltaKw = dice.chance(0.6) ? -dice.int(1, 400) : dice.int(1, 300);
    const sku = dice.chance(0.4) && draw.features("sku") ? dice.pick(["frr", "rr"] as const) : null;
    if (!atEdge && (edges.includes(atMs) || orders.some((other) => other.atMs === atMs))) continue;
    orders.push(instruction(`I-${v}-${k}`, atMs, dice.int(5, 45), deltaKw, { vpp: v, sku }));
  }
  return orders;
}

function randomEvents(
  draw: WorldDraw,
  sites: readonly SiteSpec[],
  vppCount: number,
  spare: number | null,
): ScenarioEvent[] {
  const { features, seed, hours } = draw;
  const events: ScenarioEvent[] = [];
  const spanS = hours * 3600;
  const lasting = (
    feature: Feature,
    count: number,
    add: (dice: SeededChooser, index: number, period: FaultPeriod) => void,
  ) => {
    const dice = chooserFor(seed, feature);
    if (!features(feature)) return;
    for (let k = dice.int(0, count); k > 0; k--) {
      const index = dice.int(0, sites.length - 1);
      const second = dice.chance(0.4) ? 60 * dice.int(0, spanS / 60 - 1) : dice.int(0, spanS - 1);
      const lengthS = dice.chance(0.3) ? dice.int(5, 58) : dice.chance(0.4) ? 60 * dice.int(1, 30) : dice.int(60, 3600);
      const settled = dice.chance(0.3) && features("settled");
      add(dice, index, { atMs: T0 + second * 1000, untilMs: T0 + (second + lengthS) * 1000, settled });
    }
  };
  lasting("outages", 6, (dice, index, period) => {
    events.push({ kind: dice.chance(0.2) ? "maintenance" : "outage", site: index, ...period });
  });
  lasting("link_down", 3, (_, index, period) => events.push({ kind: "link_down", site: index, ...period }));
  lasting("warning", 1, (_, index, period) => events.push({ kind: "warning", site: index, ...period }));
  lasting("fcr_fault", 3, (_, index, period) => events.push({ kind: "fcr_fault", site: index, ...period }));
  const controlled = new Set<number>();
  lasting("output_control", features("controls") ? 6 : 3, (dice, index, period) => {
    if ((controlled.has(index) && !features("controls")) || sites[index].components[0].kind === "consumer") return;
    controlled.add(index);
    events.push({
      kind: "output_control",
      site: index,
      limitPct: dice.pick([0, 10, 30, 60]),
      reason: "manual",
      ...period,
    });
  });
  lasting("derate", 3, (dice, index, period) => {
    const { kind } = sites[index].components[0];
    if (kind !== "battery" && kind !== "generator") return;
    const limitPct = dice.int(0, 99);
    // Steps of whole seconds, as the reference has.
    const rampMs = (): number => 1000 * (100 - limitPct) * dice.int(0, 3);
    const rampInMs = rampMs();
    const isReached = rampInMs <= period.untilMs - period.atMs;
    events.push({
      kind: "derate",
      site: index,
      limitPct,
      rampInMs: isReached ? rampInMs : 0,
      rampOutMs: rampMs(),
      ...period,
    });
  });
  lasting("irradiance", 2, (dice, index, period) => {
    const [component] = sites[index].components;
    if (component.kind !== "generator" || component.generatorKind !== "pv") return;
    events.push({ kind: "irradiance_shortfall", site: index, limitPct: dice.int(0, 90), ...period });
  });
  lasting("weights", 4, (dice, index, { atMs, settled }) => {
    if (index === spare) return;
    const allocationWeight = randomWeight(dice);
    events.push({ kind: "set_weight", vpp: index % vppCount, site: index, allocationWeight, atMs, settled });
  });
  if (spare !== null) addMembership(draw, sites, vppCount, spare, events);
  return events;
}

interface FaultPeriod {
  readonly atMs: number;
  readonly untilMs: number;
  readonly settled: boolean;
}

/** The spare site joins one VPP; the first site of the world now and then leaves its own. */
function addMembership(
  { seed, hours }: WorldDraw,
  sites: readonly SiteSpec[],
  vppCount: number,
  spare: number,
  events: ScenarioEvent[],
): void {
  const dice = chooserFor(seed, "membership");
  const moment = () => T0 + dice.int(0, hours * 60 - 1) * 60_000;
  events.push({
    kind: "add_member",
    vpp: dice.int(0, vppCount - 1),
    site: spare,
    resourceType: resourceTypeOf(sites[spare]),
    allocationWeight: 100,
    label: "",
    atMs: moment(),
    settled: false,
  });
  if (dice.chance(0.5)) events.push({ kind: "remove_member", vpp: 0, site: 0, atMs: moment(), settled: false });
}
