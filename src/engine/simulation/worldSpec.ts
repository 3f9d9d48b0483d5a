import type { Currency } from "../../base/currency.ts";
import type { EpochMs } from "../../base/time.ts";
import type { FrequencySource } from "../device/frequency/gridFrequency.ts";
import { RandomStreams } from "../kernel/randomStreams.ts";
import type { Series } from "../series/model/series.ts";
import { type ComponentSpec, kindOf } from "../site/components/registry.ts";
import type { SensorFault } from "../site/siteMalfunctions.ts";
import type { OutputControlReason } from "../site/siteSnapshot.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../vpp/instructions/instructionSpec.ts";
import type { ResourceType, VppSpec } from "../vpp/vppSpec.ts";

/** The complete, validated input of one run; immutable. */
export interface WorldSpec {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly seed: number;
  /** Time from which stochastic outages are drawn: the scenario's start, even if only a part of it runs (docs/model/time.md#from-to). */
  readonly streamsFromMs: EpochMs;
  readonly sites: readonly SiteSpec[];
  readonly vpps: readonly VppSpec[];
  /** In file order; at one instant, awards act before instructions, and instructions before events. */
  readonly awards: readonly AwardSpec[];
  readonly instructions: readonly InstructionSpec[];
  readonly events: readonly ScenarioEvent[];
  readonly frequencyHz: FrequencySource;
  readonly energyPriceJpyPerKwh: Series | null;
  /** Absent: none; so the digest of scenarios without the keys stays the same. */
  readonly charges?: MarketCharges | undefined;
  /** Absent: none, as of `charges`. */
  readonly investment?: InvestmentSpec | undefined;
  /** Of all amounts; absent: JPY, as of `charges`. */
  readonly currency?: Currency | undefined;
}

/** What batteries cost, and how their years are valued. @see docs/model/money.md#investment */
interface InvestmentSpec {
  /** Per rated kWh. */
  readonly capexPerKwh: number;
  /** Per kW of the larger of import and export power. */
  readonly capexPerKw: number;
  /** Per rated kWh and year. */
  readonly opexPerKwhYear: number;
  /** Whole. */
  readonly lifetimeYears: number;
  readonly discountPct: number;
}

/** What the aggregator pays beside energy; `null`: not counted. @see docs/model/money.md#fees */
interface MarketCharges {
  /** Per kWh of import and of export of the aggregator's sites. */
  readonly feePerKwh: number | null;
  /** Per kWh discharged (AC) by batteries of the aggregator's sites. */
  readonly wearPerKwh: number | null;
}

/**
 * The same run with another seed. The fields are listed instead of spread so that all specs have one object shape: every
 * event reads this object.
 */
export const withSeed = (spec: WorldSpec, seed: number): WorldSpec => ({
  startMs: spec.startMs,
  endMs: spec.endMs,
  seed,
  streamsFromMs: spec.streamsFromMs,
  sites: drawSites(spec.sites, seed),
  vpps: spec.vpps,
  awards: spec.awards,
  instructions: spec.instructions,
  events: spec.events,
  frequencyHz: spec.frequencyHz,
  energyPriceJpyPerKwh: spec.energyPriceJpyPerKwh,
  charges: spec.charges,
  investment: spec.investment,
  currency: spec.currency,
});

interface EventBase {
  readonly atMs: EpochMs;
  /** Whether it acts after all other events of its instant (docs/model/time.md#file-order). */
  readonly settled: boolean;
}

/** `untilMs` is `Infinity` where the event lasts to the end of the run. */
export type ScenarioEvent =
  | (EventBase & {
      readonly kind: "outage" | "maintenance" | "warning" | "link_down" | "fcr_fault";
      readonly site: number;
      readonly untilMs: EpochMs;
    })
  | (EventBase & {
      readonly kind: "output_control";
      readonly site: number;
      readonly untilMs: EpochMs;
      readonly limitPct: number;
      readonly reason: OutputControlReason;
    })
  | (EventBase & {
      readonly kind: "derate";
      readonly site: number;
      readonly untilMs: EpochMs;
      /** Of the rated power. */
      readonly limitPct: number;
      readonly rampInMs: number;
      readonly rampOutMs: number;
    })
  | (EventBase & {
      readonly kind: "sensor_offset";
      readonly site: number;
      readonly untilMs: EpochMs;
      readonly sensor: SensorFault["sensor"];
      /** In % points or kW. */
      readonly offset: number;
    })
  | (EventBase & {
      readonly kind: "sensor_stuck";
      readonly site: number;
      readonly untilMs: EpochMs;
      readonly sensor: SensorFault["sensor"];
    })
  | (EventBase & {
      readonly kind: "irradiance_shortfall";
      readonly site: number;
      readonly untilMs: EpochMs;
      /** Of the generation. */
      readonly limitPct: number;
    })
  | (EventBase & {
      readonly kind: "set_weight";
      readonly vpp: number;
      readonly site: number;
      readonly allocationWeight: number;
    })
  | (EventBase & {
      readonly kind: "add_member";
      readonly vpp: number;
      readonly site: number;
      readonly resourceType: ResourceType;
      readonly allocationWeight: number;
      readonly label: string;
    })
  | (EventBase & {
      readonly kind: "direct_schedule";
      readonly site: number;
      readonly startMs: EpochMs;
      readonly endMs: EpochMs;
      readonly deltaKw: number;
    })
  | (EventBase & { readonly kind: "remove_member"; readonly vpp: number; readonly site: number })
  | (EventBase & { readonly kind: "fault_end"; readonly faultId: string })
  | (EventBase & RequestEvent);

/** A call of one of the three APIs. */
export interface RequestEvent {
  readonly kind: "request";
  readonly api: "vpp-v1" | "site-v2" | "site-v1";
  /** 32 hex digits of the VPP or site. */
  readonly id: string;
  readonly method: string;
  /** Path after the prefix with the id, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An event at a site with a duration. */
export type FaultEvent = Extract<ScenarioEvent, { readonly untilMs: EpochMs }>;

/** Sites with what their components leave to chance drawn from the streams of a seed. @see docs/model/time.md#random-streams */
export function drawSites(sites: readonly SiteSpec[], seed: number): readonly SiteSpec[] {
  if (!sites.some(({ components }) => components.some(isRandom))) return sites;
  const streams = new RandomStreams(seed);
  return sites.map((site) => {
    if (!site.components.some(isRandom)) return site;
    return { ...site, components: site.components.map((component) => drawn(component, site.name, streams)) };
  });
}

const isRandom = (component: ComponentSpec): boolean => kindOf(component).draws !== undefined;

function drawn(component: ComponentSpec, site: string, streams: RandomStreams): ComponentSpec {
  const { draws } = kindOf(component);
  if (draws === undefined) return component;
  return draws.from(component, (owner) =>
    streams.getStream(draws.purpose, `${site}/${component.componentId}/${owner}`),
  );
}
