import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";
import type { FrequencySource } from "../device/gridFrequency.ts";
import type { Series } from "../series/series.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { ResourceType, VppSpec } from "../vpp/vppSpec.ts";

/** Everything one run needs, checked and complete; nothing in it changes while the world runs. */
export interface WorldSpec {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly seed: number;
  /** Where stochastic outages begin to be drawn: the scenario's own start, whatever part of it is run (decisions.md 114). */
  readonly streamsFromMs: EpochMs;
  readonly sites: readonly SiteSpec[];
  readonly vpps: readonly VppSpec[];
  /** In file order; commands of one instant act in the order awards, instructions, events. */
  readonly awards: readonly AwardSpec[];
  readonly instructions: readonly InstructionSpec[];
  readonly events: readonly ScenarioEvent[];
  readonly frequencyHz: FrequencySource;
  readonly energyPriceJpyPerKwh: Series | null;
}

export type NumberOrSeries = number | Series;

/** What asks for power: an entry of the scenario, or a call of the API while the world runs. */
interface OrderSpec {
  /** Set for a call of the API: not one of the scenario's own. */
  readonly fromOutside?: true;
}

export interface AwardSpec extends OrderSpec {
  readonly awardId: string;
  /** Index into the world's VPPs. */
  readonly vpp: number;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly registeredMs: EpochMs;
  /** `null` for FCR. */
  readonly deltaKw: number | null;
  readonly fcrResponseKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
  readonly activation: NumberOrSeries;
  readonly priceJpyPerKwH: NumberOrSeries | null;
  readonly priceJpyPerKwh: NumberOrSeries | null;
  readonly penaltyJpyPerKwh: NumberOrSeries | null;
}

export interface InstructionSpec extends OrderSpec {
  readonly awardId: string;
  readonly vpp: number;
  readonly sku: Sku | null;
  readonly atMs: EpochMs;
  readonly durationMs: number;
  readonly deltaKw: number | null;
  readonly fcrResponseKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
}

export type OutputControlReason = "fit_curtailment" | "non_firm_congestion" | "manual" | "other";

interface EventBase {
  readonly atMs: EpochMs;
  /** Acts after everything due at its instant (decisions.md 105). */
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

/** One call of one of the three APIs; it always acts after everything due at its instant. */
export interface RequestEvent {
  readonly kind: "request";
  readonly api: "vpp-v1" | "site-v2" | "site-v1";
  /** 32 hex digits of the VPP or site. */
  readonly id: string;
  readonly method: string;
  /** Below the id's own prefix, without a query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What begins at a site and lasts: to an instant, or to the end of the run (`untilMs` is `Infinity`). */
export type LastingEvent = Extract<ScenarioEvent, { readonly untilMs: EpochMs }>;
