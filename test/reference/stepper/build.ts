// Short ways to write a world spec: everything not given is the scenario default.
import { hexId } from "../../../src/base/ids.ts";
import { SKUS } from "../../../src/base/sku.ts";
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import type { ConsumerSpec } from "../../../src/engine/device/consumer/consumerSpec.ts";
import type { DispatchableSpec, ReservoirSpec } from "../../../src/engine/device/dispatchable/dispatchableSpec.ts";
import type { VariableGeneratorSpec } from "../../../src/engine/device/generator/generatorSpec.ts";
import { type Interpolation, Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { type ComponentSpec, kindOf } from "../../../src/engine/site/components/registry.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../../../src/engine/vpp/instructions/instructionSpec.ts";
import type { ResourceType, VppOptions, VppSpec } from "../../../src/engine/vpp/vppSpec.ts";

/** Start of every world: a whole hour, UTC. */
export const T0 = Date.UTC(2026, 3, 1);

/** Milliseconds from hh:mm or hh:mm:ss after T0. */
export function at(clock: string): number {
  const [hours, minutes, seconds = 0] = clock.split(":").map(Number);
  return T0 + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** An even series from T0. */
export function evenSeries(
  name: string,
  stepMinutes: number,
  values: readonly number[],
  interpolation: Interpolation = "step",
): Series {
  const stepMs = stepMinutes * 60_000;
  const times = Float64Array.from(values, (_, k) => T0 + k * stepMs);
  return new Series(name, times, Float64Array.from(values), interpolation, T0 + values.length * stepMs);
}

/** One value for two days. */
export const flat = (kw: number): Series => evenSeries(`flat ${kw}`, 1440, [kw, kw]);

export const battery = (given: Partial<BatterySpec> = {}): BatterySpec => ({
  kind: "battery",
  componentId: "bat",
  fcrCapable: false,
  ratedCapKwh: 1000,
  importMaxKw: 500,
  exportMaxKw: 500,
  socOpMinPct: 10,
  socOpMaxPct: 90,
  initialSocPct: 50,
  chargeEfficiency: 0.95,
  dischargeEfficiency: 0.95,
  selfDischargePctPerDay: 0,
  auxiliaryKw: 0,
  responseDelayMs: 0,
  rampKwPerS: null,
  powerTaper: null,
  ...given,
});

export const pv = (generationKw: Series, given: Partial<VariableGeneratorSpec> = {}): VariableGeneratorSpec => ({
  kind: "generator",
  componentId: "pv",
  generatorKind: "pv",
  fcrCapable: false,
  subsidy: "none",
  ratedOutputKw: 1000,
  pvCapacityKw: 1200,
  generationKw,
  irradianceWm2: null,
  ...given,
});

/** 1000 kW, no least output, no ramp. */
export const thermal = (given: Partial<DispatchableSpec> = {}): DispatchableSpec => ({
  kind: "dispatchable",
  componentId: "plant",
  generatorKind: "thermal",
  fcrCapable: false,
  subsidy: "none",
  ratedOutputKw: 1000,
  minOutputKw: 0,
  rampKwPerMin: null,
  fuelType: null,
  reservoir: null,
  ...given,
});

/** 1000 kW either way over a lossless reservoir of 1000 kWh, half full. */
export const pumped = (
  reservoir: Partial<ReservoirSpec> = {},
  given: Partial<DispatchableSpec> = {},
): DispatchableSpec => ({
  ...thermal({ generatorKind: "pumped_storage" }),
  reservoir: {
    capacityKwh: 1000,
    initialFillPct: 50,
    pumpMaxKw: 1000,
    pumpingEfficiency: 1,
    generatingEfficiency: 1,
    ...reservoir,
  },
  ...given,
});

export const consumer = (loadKw: Series, given: Partial<ConsumerSpec> = {}): ConsumerSpec => ({
  kind: "consumer",
  componentId: "plant",
  consumerKind: "factory",
  fcrCapable: false,
  contractKw: 3000,
  maxDemandKw: 3000,
  drCapable: true,
  minDrReductionKw: 0,
  maxDrReductionKw: 400,
  minDrDurationMs: 0,
  minDrCooldownMs: 0,
  loadKw,
  responseDelayMs: 0,
  rampKwPerS: null,
  reboundFraction: 0,
  reboundMs: 0,
  control: "drop_by",
  ...given,
});

/** A site of one component. */
export function site(name: string, component: ComponentSpec, given: Partial<SiteSpec> = {}): SiteSpec {
  const isConsumer = component.kind === "consumer";
  return {
    name,
    emsId: hexId(`site:${name}`),
    capability: {
      fcrCapable: component.fcrCapable,
      drCapable: isConsumer && component.drCapable,
      reverseFlowAllowed: !isConsumer,
      marketable: SKUS,
      balancingResponsible: false,
      nonFirmConnection: false,
    },
    constraints: {
      voltageClass: null,
      measurementPoint: null,
      siteImportMaxKw: Number.POSITIVE_INFINITY,
      siteExportMaxKw: Number.POSITIVE_INFINITY,
    },
    components: [component],
    baseline: { method: "zero" },
    fcr: { freqRefHz: 50, upDeadbandHz: 0.01, lowDeadbandHz: 0.01, upDroopPct: 5, lowDroopPct: 5 },
    outages: null,
    link: { lossProbability: 0, latencyMs: 0 },
    control: "open",
    maintenance: [],
    ...given,
  };
}

const VPP_DEFAULTS: VppOptions = {
  deltaExcess: "uncovered",
  strictAvailabilityCheck: false,
  immediateOverridesSchedule: false,
  fcrEnergyTestMinutes: 0,
  pvSetpoint: "hold",
};

export function resourceTypeOf({ components: [component] }: SiteSpec): ResourceType {
  return kindOf(component).wire.componentType(component);
}

/** A VPP over sites given as `[index, weight]`. */
export function vpp(
  name: string,
  sites: readonly SiteSpec[],
  weights: readonly (readonly [site: number, weight: number])[],
  options: Partial<VppOptions> = {},
): VppSpec {
  const members = weights.map(([index, allocationWeight]) => ({
    site: index,
    label: "",
    resourceType: resourceTypeOf(sites[index]),
    allocationWeight,
  }));
  return { name, vppId: hexId(`vpp:${name}`), members, options: { ...VPP_DEFAULTS, ...options } };
}

export const award = (
  awardId: string,
  period: readonly [start: number, end: number],
  deltaKw: number,
  given: Partial<AwardSpec> = {},
): AwardSpec => ({
  awardId,
  vpp: 0,
  sku: null,
  startMs: period[0],
  endMs: period[1],
  registeredMs: T0,
  deltaKw,
  fcrResponseKw: null,
  compoundBreakdown: null,
  activation: 1,
  capacityPriceJpyPerKwHour: null,
  priceJpyPerKwh: null,
  penaltyJpyPerKwh: null,
  ...given,
});

export const instruction = (
  awardId: string,
  atMs: number,
  minutes: number,
  deltaKw: number,
  given: Partial<InstructionSpec> = {},
): InstructionSpec => ({
  awardId,
  vpp: 0,
  sku: null,
  atMs,
  durationMs: minutes * 60_000,
  deltaKw,
  fcrResponseKw: null,
  compoundBreakdown: null,
  ...given,
});

export function world(sites: readonly SiteSpec[], given: Partial<WorldSpec> = {}): WorldSpec {
  return {
    startMs: T0,
    endMs: at("02:00"),
    streamsFromMs: T0,
    seed: 1,
    sites,
    vpps: [
      vpp(
        "east",
        sites,
        sites.map((_, k) => [k, 100] as const),
      ),
    ],
    awards: [],
    instructions: [],
    events: [],
    frequencyHz: 50,
    energyPriceJpyPerKwh: null,
    ...given,
  };
}
