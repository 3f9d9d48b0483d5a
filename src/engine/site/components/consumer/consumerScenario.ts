import {
  boolean,
  enumOf,
  literal,
  nonNegativeNumber,
  optional,
  positiveRatingKw,
  rampRate,
  ratingKw,
  type Static,
  seriesReference,
  strictObject,
} from "../../../../base/schemaBuilders.ts";
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../../../base/time.ts";
import { CONSUMER_KINDS, type ConsumerKind, type ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import {
  type ComponentBuildPort,
  type ComponentScenarioFacet,
  componentProperties,
  HOUSEHOLD_MIN_KW,
} from "../scenarioFacet.ts";

const consumer = strictObject({
  ...componentProperties,
  component_type: literal("consumer"),
  consumer_kind: enumOf(CONSUMER_KINDS, { default: "other" }),
  contract_kw: positiveRatingKw(),
  max_demand_kw: positiveRatingKw({ description: "The load is cut here" }),
  dr_capable: boolean({ default: false }),
  min_dr_reduction_kw: ratingKw({ default: 0 }),
  max_dr_reduction_kw: ratingKw({ default: 0, description: "Needed when dr_capable" }),
  min_dr_duration_minutes: nonNegativeNumber({
    maximum: 1440,
    default: 0,
    description: "An instruction lasts 1 minute to 1 day",
  }),
  min_dr_cooldown_minutes: nonNegativeNumber({ maximum: 525_600, default: 0 }),
  model: strictObject({
    load: seriesReference({ description: "Undisturbed demand in kW, at least 0" }),
    response_delay_s: nonNegativeNumber({ maximum: 86_400, default: 0 }),
    ramp_kw_per_s: optional(rampRate()),
    rebound_fraction: nonNegativeNumber({ maximum: 10, default: 0 }),
    rebound_minutes: nonNegativeNumber({ maximum: 10_080, default: 0 }),
    control: enumOf(["drop_by", "track"], { default: "drop_by" }),
    delivery_ratio: nonNegativeNumber({ maximum: 2, default: 1, description: "Share of a reduction that is shed" }),
  }),
});

/** Kinds of loads that a single household or charger may be. */
const MAY_BE_SMALL: ReadonlySet<ConsumerKind> = new Set(["residential_aggregate", "ev_charging", "other"]);
/** A shop, a factory, a cold store or a data centre draws more. */
const BUSINESS_MIN_KW = 5;

export type ConsumerKeys = Static<typeof consumer>;

export const consumerScenario: ComponentScenarioFacet<ConsumerKeys, ConsumerSpec> = {
  schemas: [consumer],
  matches: (keys) => keys.component_type === "consumer",
  build: buildConsumer,
  resourceType: () => "consumer",
  impliedSeries: () => [],
  loadKeys: ({ model, dr_capable, max_demand_kw }) => ({
    isReducible: dr_capable,
    history: { owner: model, key: "load", maximumKw: max_demand_kw },
  }),
  ratingKeys: ({ max_demand_kw, consumer_kind }) => ({
    key: "max_demand_kw",
    ratedKw: max_demand_kw,
    usualMinKw: MAY_BE_SMALL.has(consumer_kind) ? HOUSEHOLD_MIN_KW : BUSINESS_MIN_KW,
  }),
  pvPlantKeys: () => null,
  allowsPerfectBaseline: true,
};

function buildConsumer({ checker, series }: ComponentBuildPort, keys: ConsumerKeys): ConsumerSpec {
  const model = keys.model ?? {};
  if (keys.dr_capable && keys.max_dr_reduction_kw === 0) {
    checker.reportError(keys, "max_dr_reduction_kw", "0", "a number above 0 where dr_capable is true");
  } else if (keys.dr_capable && keys.min_dr_reduction_kw > keys.max_dr_reduction_kw) {
    const allowed = `at most max_dr_reduction_kw, ${keys.max_dr_reduction_kw}`;
    checker.reportError(keys, "min_dr_reduction_kw", `${keys.min_dr_reduction_kw}`, allowed);
  }
  return {
    kind: "consumer",
    componentId: keys.component_id,
    consumerKind: keys.consumer_kind,
    fcrCapable: keys.fcr_capable,
    contractKw: keys.contract_kw,
    maxDemandKw: keys.max_demand_kw,
    drCapable: keys.dr_capable,
    minDrReductionKw: keys.min_dr_reduction_kw,
    maxDrReductionKw: keys.max_dr_reduction_kw,
    minDrDurationMs: minutesToMs(keys.min_dr_duration_minutes),
    minDrCooldownMs: minutesToMs(keys.min_dr_cooldown_minutes),
    loadKw: series.resolve(model, "load", { interpolation: "step", unit: "kW", minimum: 0 }),
    responseDelayMs: secondsToMs(model.response_delay_s),
    rampKwPerS: model.ramp_kw_per_s ?? null,
    reboundFraction: model.rebound_fraction,
    reboundMs: minutesToMs(model.rebound_minutes),
    control: model.control,
    ...(model.delivery_ratio === 1 ? {} : { deliveryRatio: model.delivery_ratio }),
  };
}

const secondsToMs = (seconds: number) => Math.round(seconds * MS_PER_SECOND);
const minutesToMs = (minutes: number) => Math.round(minutes * MS_PER_MINUTE);
