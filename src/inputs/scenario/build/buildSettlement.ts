import { DateTime } from "luxon";
import { platform } from "#platform";
import { formatNameList, formatValue } from "../../../base/inputError.ts";
import type { Sku } from "../../../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import { kindOf } from "../../../engine/site/components/registry.ts";
import type { NumberOrSeries } from "../../../engine/vpp/instructions/instructionSpec.ts";
import {
  type MarketParameter,
  namesWithoutArea,
  type ParameterSet,
  unsureNames,
  valuesOf,
} from "../../../market/marketParameters.ts";
import { MARKETS, type ParameterValues, parameterFileSchema } from "../../../market/marketRegistry.ts";
import type { ActivationPrices, SettlementPrices, SettlementSpec } from "../../../market/settlementSpec.ts";
import { createGlobMatcher } from "../parse/createGlobMatcher.ts";
import { decodeText } from "../parse/decodeText.ts";
import type { JsonSchema } from "../parse/jsonSchema.ts";
import { resolveBeside } from "../parse/loadContext.ts";
import { readYaml } from "../parse/readYaml.ts";
import type { AwardConfig } from "../schema/awardSchema.ts";
import type { SettlementConfig } from "../schema/settlementSchema.ts";
import { type BuildContext, numberOrSeries } from "./buildContext.ts";

/** Reads the settlement of a scenario; `null` without one, or after reporting errors. */
export function buildSettlement(
  context: BuildContext,
  config: SettlementConfig | undefined,
  awards: readonly AwardConfig[],
  world: WorldSpec,
): SettlementSpec | null {
  if (config?.market === undefined || config.values === undefined) return null;
  const entry = MARKETS[config.market];
  const set = readParameterSet(context, config);
  const prices = pricesOf(context, config);
  if (set === null || prices === null) return null;
  const given = { ...config.values, ...wearValue(entry.wearKey, world) };
  const values = valuesOf(set, given, config.area);
  const plan = config.plan === undefined ? null : planOf(context, config.plan);
  const activationPrices = activationPricesOf(context, awards);
  const connection = connectionOf(config);
  reportMissingRates(
    context,
    config,
    set,
    entry.chargedRates?.(values, { connection, isStorageOnly: storesOnly(world) }) ?? [],
  );
  const retailSites = sitesMatching(context, config, "retail_sites", world);
  const premiumSites = sitesMatching(context, config, "premium_sites", world);
  if (values.price_gap !== "zero") reportMissingPrices(context, config, { prices, plan }, world);
  return {
    market: entry.create(values),
    currency: entry.currency,
    parameterSet: set.title,
    area: config.area,
    values,
    unsure: unsureNames(set, given),
    prices,
    activationPrices,
    plan,
    connection,
    capacityCalls: capacityCallsOf(context, config, values),
    retailSites,
    premiumSites,
    monthOf: monthIn(entry.timezone),
    slotIdentity: {
      market: config.market,
      ...Object.fromEntries(entry.samplingKeys.map((key) => [key, values[key]])),
      retail_sites: [...retailSites],
      premium_sites: [...premiumSites],
    },
    identity: {
      market: config.market,
      values,
      prices: identityOfPrices(prices),
      plan,
      connection: config.connection,
      calls: config.capacity_calls,
      activation: [...activationPrices].map(([awardId, { upPerKwh: up, downPerKwh: down }]) => [awardId, { up, down }]),
      retail: [...retailSites],
      premium: [...premiumSites],
    },
  };
}

/** The price of wear of the scenario, in place of that of the parameter set. */
function wearValue(key: string | undefined, { charges }: WorldSpec): ParameterValues {
  const wear = charges?.wearPerKwh ?? null;
  return key === undefined || wear === null ? {} : { [key]: wear };
}

/** The names of prices in the hash of a scenario, which must not change with those of the code. */
const identityOfPrices = (prices: SettlementPrices): Readonly<Record<string, NumberOrSeries | null>> => ({
  spot: prices.spotPerKwh,
  intraday: prices.intradayPerKwh,
  imbalanceSurplus: prices.imbalanceSurplusPerKwh,
  imbalanceShortage: prices.imbalanceShortagePerKwh,
  retail: prices.retailPerKwh,
  premiumReference: prices.premiumReferencePerKwh,
});

const connectionOf = ({ connection }: SettlementConfig): SettlementSpec["connection"] => ({
  wheelingKw: connection.wheeling_kw,
  wheelingBasicKw: connection.wheeling_basic_kw,
  receivingKw: connection.receiving_kw,
  capacityKw: connection.capacity_kw,
  retailKw: connection.retail_kw,
});

const storesOnly = ({ sites }: WorldSpec): boolean =>
  sites.every(({ components }) => components.every((component) => kindOf(component).report.flowRole === "storage"));

/** Reports areas without a rate: otherwise the rate of another area would be charged unnoticed. */
function reportMissingRates(
  { checker }: BuildContext,
  config: SettlementConfig,
  set: ParameterSet,
  charged: readonly string[],
): void {
  for (const name of namesWithoutArea(set, config.values, config.area)) {
    if (!charged.includes(name)) continue;
    const areas = formatNameList(Object.keys(set.values[name].by_area ?? {}));
    const found = `${formatValue(config.area)}, for which ${set.title} has no ${name}`;
    checker.reportError(config, "area", found, `${areas}; or the rate as settlement.values.${name}`);
  }
}

/** Reports prices that are given nowhere, of energy that awards or the plan trade (docs/model/settlement.md#prices). */
function reportMissingPrices(
  { checker }: BuildContext,
  config: SettlementConfig,
  { prices, plan }: Pick<SettlementSpec, "prices" | "plan">,
  { awards, startMs, endMs }: WorldSpec,
): void {
  const traderOf = (skus: readonly (Sku | null)[], kw: NumberOrSeries | undefined): string | undefined => {
    if (plan !== null) return kw === 0 ? undefined : "settlement.plan";
    const trades = awards.find(
      (award) => skus.includes(award.sku) && award.deltaKw !== 0 && startMs <= award.startMs && award.startMs < endMs,
    );
    return trades && `award ${trades.awardId} (${trades.sku})`;
  };
  for (const [key, price, trader] of [
    ["spot", prices.spotPerKwh, traderOf(["exchange-da", "negawatt-spot"], plan?.spotKw)],
    ["intraday", prices.intradayPerKwh, traderOf(["exchange-ttv"], plan?.intradayKw)],
  ] as const)
    if (price === null && trader !== undefined) {
      const allowed = `a price, which the energy of ${trader} needs; or price_gap: zero in settlement.values`;
      checker.reportError(config, `prices.${key}`, "no price", allowed);
    }
}

function capacityCallsOf(
  { checker }: BuildContext,
  config: SettlementConfig,
  values: ParameterValues,
): SettlementSpec["capacityCalls"] {
  if (config.capacity_calls.length > 0 && !MARKETS[config.market].hasCapacityCalls)
    checker.reportError(config, "capacity_calls", `calls in market ${config.market}`, "none: this market has no calls");
  const noticeMs = Number(values.capacity_notice_hours ?? 0) * MS_PER_HOUR;
  return config.capacity_calls.map(({ start, notified_at }) => ({
    startMs: start,
    notifiedMs: notified_at ?? start - noticeMs,
  }));
}

function monthIn(zone: string): (atMs: EpochMs) => string {
  let month = { fromMs: Number.NaN, toMs: Number.NaN, name: "" };
  return (atMs) => {
    if (!(month.fromMs <= atMs && atMs < month.toMs)) {
      const start = DateTime.fromMillis(atMs, { zone }).startOf("month");
      month = { fromMs: start.toMillis(), toMs: start.plus({ months: 1 }).toMillis(), name: start.toFormat("yyyy-MM") };
    }
    return month.name;
  };
}

function readParameterSet(context: BuildContext, config: SettlementConfig): ParameterSet | null {
  const { checker, files, file } = context;
  const shipped = platform.shippedFiles(`markets/${config.market}`);
  const isFile = config.parameters.endsWith(".yaml");
  const path = isFile ? resolveBeside(file, config.parameters) : shipped.get(config.parameters);
  const content = path === undefined ? null : files.read(path);
  if (path === undefined || content === null) {
    const allowed = `${formatNameList([...shipped.keys()])}, or a readable file (.yaml)`;
    checker.reportError(config, "parameters", formatValue(config.parameters), allowed);
    return null;
  }
  const text = decodeText(path, content, checker.errors);
  const document = text === null ? null : readYaml(path, text, checker.errors);
  if (document === null) return null;
  const before = checker.errors.count;
  const schema = parameterFileSchema(config.market) as JsonSchema;
  const set = checker.check(schema, document.root, document.origin, "") as {
    readonly market: string;
    readonly title: string;
    readonly values: Readonly<Record<string, MarketParameter>>;
  };
  return checker.errors.count > before ? null : set;
}

function pricesOf(context: BuildContext, { prices }: SettlementConfig): SettlementPrices | null {
  const price = (key: keyof typeof prices): NumberOrSeries | null =>
    numberOrSeries(context, prices, key, { interpolation: "step", unit: "per kWh" });
  const both = prices.imbalance !== undefined;
  const given = (["imbalance_surplus", "imbalance_shortage"] as const).filter((key) => prices[key] !== undefined);
  if (both ? given.length > 0 : given.length === 1) {
    context.checker.reportError(
      prices,
      both ? "imbalance" : given[0],
      both ? "imbalance beside imbalance_surplus or imbalance_shortage" : `${given[0]} alone`,
      "one price for both directions (imbalance), or both imbalance_surplus and imbalance_shortage",
    );
    return null;
  }
  return {
    spotPerKwh: price("spot"),
    intradayPerKwh: price("intraday"),
    imbalanceSurplusPerKwh: price(both ? "imbalance" : "imbalance_surplus"),
    imbalanceShortagePerKwh: price(both ? "imbalance" : "imbalance_shortage"),
    retailPerKwh: price("retail"),
    premiumReferencePerKwh: price("premium_reference"),
  };
}

function planOf(
  context: BuildContext,
  plan: NonNullable<SettlementConfig["plan"]>,
): { readonly spotKw: NumberOrSeries; readonly intradayKw: NumberOrSeries } {
  const kw = (key: keyof typeof plan): NumberOrSeries =>
    numberOrSeries(context, plan, key, { interpolation: "step", unit: "kW" }) ?? 0;
  return { spotKw: kw("spot_kw"), intradayKw: kw("intraday_kw") };
}

/** Prices of activated energy of the awards that have one. */
function activationPricesOf(context: BuildContext, awards: readonly AwardConfig[]): Map<string, ActivationPrices> {
  const prices = new Map<string, ActivationPrices>();
  for (let k = 0; k < awards.length; k++) {
    const award = awards[k];
    if (award.v1_price_per_kwh === undefined && award.v2_price_per_kwh === undefined) continue;
    prices.set(award.award_id ?? `A-${k + 1}`, {
      upPerKwh: numberOrSeries(context, award, "v1_price_per_kwh", { interpolation: "step", unit: "per kWh" }),
      downPerKwh: numberOrSeries(context, award, "v2_price_per_kwh", { interpolation: "step", unit: "per kWh" }),
    });
  }
  return prices;
}

function sitesMatching(
  { checker }: BuildContext,
  config: SettlementConfig,
  key: "retail_sites" | "premium_sites",
  { sites }: WorldSpec,
): Set<number> {
  const found = new Set<number>();
  for (const glob of config[key]) {
    const matches = createGlobMatcher(glob);
    const before = found.size;
    sites.forEach(({ name }, k) => {
      if (matches(name)) found.add(k);
    });
    if (found.size === before)
      checker.reportError(
        config,
        key,
        formatValue(glob),
        `a site, as in ${formatNameList(sites.map(({ name }) => name))}`,
      );
  }
  return found;
}
