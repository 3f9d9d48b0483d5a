import { currencyOf } from "../../../base/currency.ts";
import { sumOf } from "../../../base/lists.ts";
import { MS_PER_SECOND } from "../../../base/time.ts";
import { Series } from "../../../engine/series/model/series.ts";
import {
  type ComponentConfig,
  type ComponentSpec,
  kindOf,
  kindOfKeys,
} from "../../../engine/site/components/registry.ts";
import type { StorageKeys } from "../../../engine/site/components/scenarioFacet.ts";
import { writtenPriceKey } from "../build/buildAwards.ts";
import { type AwardConfig, JPY_PRICE_KEYS } from "../schema/awardSchema.ts";
import type { SiteConfig } from "../schema/siteSchema.ts";
import { awardName, type CheckContext, siteEntries } from "./checkContext.ts";

/** Keys in per cent whose value of 1 or less is probably a fraction. Losses and self-discharge may be that small. */
const PERCENTAGES: ReadonlySet<string> = new Set([
  "initial_soc",
  "soc_op_min",
  "soc_op_max",
  "soc",
  "soc_min",
  "soc_wanted",
  "soc_on_arrival_min",
  "initial_fill_pct",
  "exclude_below_pct",
  "pct",
  "limit_pct",
]);
/** A lower limit of one per cent is usual. */
const MAY_BE_ONE: ReadonlySet<string> = new Set(["soc_op_min", "soc", "soc_min", "soc_on_arrival_min"]);

/** Remarks on percentages that are probably fractions. */
export function checkPercentages(context: CheckContext): void {
  for (const { first, label } of siteEntries(context)) {
    const { components, baseline } = context.sites[first].config;
    for (const component of components) walk(context, component, `${label}, component ${component.component_id}`);
    if (baseline !== undefined) walk(context, baseline, `${label}, baseline`);
  }
  for (const event of context.events)
    if (event.kind === "output_control") walk(context, event, `output control of site ${event.site}`);
}

function walk(context: CheckContext, owner: object, label: string): void {
  for (const [key, value] of Object.entries(owner)) {
    if (Array.isArray(value)) {
      for (const item of value) if (item !== null && typeof item === "object") walk(context, item, label);
    } else if (value !== null && typeof value === "object") walk(context, value, label);
    else if (PERCENTAGES.has(key) && isFraction(key, value))
      context.remark(
        "percentage-as-fraction",
        [owner, key],
        () =>
          `${label}: ${key} ${value} is read as ${value} %; write ${round(100 * value)} for ${round(100 * value)} %`,
      );
  }
}

const isFraction = (key: string, value: unknown): value is number =>
  typeof value === "number" && 0 < value && (value < 1 || (value === 1 && !MAY_BE_ONE.has(key)));

const round = (value: number): number => Number(value.toPrecision(6));

/** Series that exceed the rating of their component by more than this factor are probably in another unit. */
const SERIES_FACTOR_MAX = 100;
const SERIES_FACTOR_MIN = 1e-3;
/** Hours from empty to full at rated power: an hour has 3600 s, a year 8760 h. */
const STORAGE_HOURS = { min: 0.05, max: 2000 };

export function checkComponents(context: CheckContext): void {
  for (const { first, label } of siteEntries(context)) {
    const keys = context.sites[first].config.components;
    context.world.sites[first].components.forEach((component, k) => {
      const name = `${label}, component ${component.componentId}`;
      checkSeriesPower(context, keys[k], component, name);
      checkStorage(context, keys[k], name);
      checkPlane(context, keys[k], name);
    });
  }
  checkRatings(context);
}

/**
 * A tenth of the least contract power of a voltage class in Japan, in kW. Lower ratings behind a connection point were
 * probably meant in MW. They are a tenth, because a scenario may contain only a part of a site.
 */
const CLASS_MIN_KW = { low: 0, high: 5, extra_high: 200 } as const;

/**
 * Remarks on ratings that are too small for the kind of their component or for the voltage class of their site. A fleet in MW has
 * them at half of its sites; a single small site is a small site.
 */
function checkRatings(context: CheckContext): void {
  const entries = siteEntries(context).map(({ first, count, label }) => {
    return { count, findings: smallRatings(context.sites[first].config, label) };
  });
  const wrongCount = sumOf(entries, ({ count, findings }) => (findings.length > 0 ? count : 0));
  if (2 * wrongCount < context.sites.length) return;
  for (const { place, found, meant } of entries.flatMap(({ findings }) => findings))
    context.remark("rating-unit", place, () => `${found}; MW instead of kW? Write ${meant}`);
}

interface SmallRating {
  readonly place: readonly [object, string];
  readonly found: string;
  readonly meant: string;
}

function smallRatings(keys: SiteConfig, label: string): SmallRating[] {
  const ratings = keys.components.flatMap((owner) => {
    const kind = kindOfKeys(owner);
    return kind === undefined ? [] : [{ owner, ...kind.scenario.ratingKeys(owner) }];
  });
  const tooSmall = ratings.filter(({ ratedKw, usualMinKw }) => 0 < ratedKw && ratedKw < usualMinKw);
  const voltageClass = keys.constraints?.voltage_class;
  const sumKw = sumOf(ratings, ({ ratedKw }) => ratedKw);
  if (tooSmall.length === 0 && voltageClass !== undefined && 0 < sumKw && sumKw < CLASS_MIN_KW[voltageClass]) {
    const found = `${label}: components rated at ${round(sumKw)} kW together are behind a connection of voltage_class ${voltageClass}`;
    return [{ place: [keys.constraints, "voltage_class"], found, meant: `${round(1000 * sumKw)} kW` }];
  }
  return tooSmall.map(({ owner, key, ratedKw, usualMinKw }) => {
    const found = `${label}, component ${owner.component_id}: ${key} is ${ratedKw} kW, and components of this kind have at least ${usualMinKw} kW`;
    return { place: [owner, key], found, meant: `${round(1000 * ratedKw)}` };
  });
}

function checkSeriesPower(context: CheckContext, keys: object, component: ComponentSpec, name: string): void {
  const { operation, study } = kindOf(component);
  const series = study.drivingSeries(component);
  const load = operation.loadTerms(component);
  const extremes = series === null ? null : context.extremesOf(series);
  if (series === null || extremes === null || extremes.most.value <= 0) return;
  const ratedKw = load?.maxDemandKw ?? operation.ratedExportKw(component);
  const mostKw = extremes.most.value;
  const ratio = mostKw / ratedKw;
  const owner = "model" in keys && keys.model !== null && typeof keys.model === "object" ? keys.model : keys;
  const key = load === null ? "generation" : "load";
  const rating = `${load === null ? "rated_output_kw" : "max_demand_kw"} ${ratedKw}`;
  if (ratio < SERIES_FACTOR_MIN || SERIES_FACTOR_MAX < ratio)
    context.remark("series-power", [owner, key], () => {
      const guess = ratio < 1 ? "MW instead of kW" : "W instead of kW";
      return `${name}: series ${series.name} reaches ${round(mostKw)} kW, against ${rating}; ${guess}?`;
    });
  else if (load !== null && load.maxDemandKw < mostKw)
    context.remark(
      "load-cut",
      [owner, key],
      () =>
        `${name}: series ${series.name} reaches ${round(mostKw)} kW and is cut at ${rating}; write a larger max_demand_kw`,
    );
}

/** Whether a storage is empty sooner than any is built for. */
export const isShortStorage = ({ capacityKwh, ratedKw }: StorageKeys): boolean =>
  capacityKwh < STORAGE_HOURS.min * ratedKw;

function checkStorage(context: CheckContext, keys: ComponentConfig, name: string): void {
  const storage = kindOfKeys(keys)?.scenario.storageKeys?.(keys) ?? null;
  if (storage === null || storage.ratedKw === 0) return;
  const { key, capacityKwh, ratedKw, start, minPct, maxPct } = storage;
  if (isShortStorage(storage) || STORAGE_HOURS.max * ratedKw < capacityKwh)
    context.remark("storage-duration", [keys, key], () => {
      const hours = capacityKwh / ratedKw;
      const duration = `${round(hours)} h at ${ratedKw} kW`;
      const [guess, meant] =
        hours < 1 ? ["MWh instead of kWh", capacityKwh * 1000] : ["Wh instead of kWh", capacityKwh / 1000];
      return `${name}: ${key} ${capacityKwh} kWh lasts ${duration}; ${guess}? Write ${round(meant)}`;
    });
  if (start.pct < minPct - SOC_TOLERANCE_PCT || maxPct + SOC_TOLERANCE_PCT < start.pct)
    context.remark("initial-soc", [start.owner, start.key], () => {
      const power =
        start.pct < minPct ? "it cannot discharge before it is charged" : "it cannot charge before it is discharged";
      return `${name}: ${start.key} ${start.pct} % is outside the window of ${minPct} to ${maxPct} %; ${power}`;
    });
  if (storage.importKw === 0)
    context.remark(
      "never-recharged",
      [keys, storage.importKey],
      () => `${name}: ${storage.importKey} is 0, so that it never charges again`,
    );
}

/** A recorded state may lie below a bound by rounding. */
const SOC_TOLERANCE_PCT = 0.01;
/** Modules that face the pole within this angle were probably meant to face the equator. */
const POLEWARD_MAX_DEG = 45;

/** Remarks on modules that face away from the sun: other programs count azimuths from the south. */
function checkPlane(context: CheckContext, keys: ComponentConfig, name: string): void {
  const { plane, location } = kindOfKeys(keys)?.scenario.pvPlantKeys(keys) ?? {};
  if (plane == null || location == null || plane.tiltDeg === 0 || location.latitudeDeg === 0) return;
  const isNorth = location.latitudeDeg > 0;
  const fromPoleDeg = Math.abs(((plane.azimuthDeg + (isNorth ? 180 : 0)) % 360) - 180);
  if (POLEWARD_MAX_DEG < fromPoleDeg) return;
  context.remark("pv-direction", [plane.owner, "azimuth_deg"], () => {
    const [faced, sunny] = isNorth ? ["north", "south is 180"] : ["south", "north is 0"];
    return `${name}: azimuth_deg ${plane.azimuthDeg} faces ${faced}, away from the sun at latitude ${location.latitudeDeg}; ${sunny}`;
  });
}

/**
 * Higher prices are probably in JPY/MWh: no market of Japan has cleared above this one
 * (docs/model/scenario-format.md#checks).
 */
const ENERGY_PRICE_MAX_JPY = 1000;

/** Remarks on prices that are probably per MWh instead of per kWh. */
export function checkPrices(context: CheckContext): void {
  const { awards, world, config } = context;
  const currency = currencyOf(world);
  const check = (place: readonly [object, string], price: number | Series | null, name: () => string) => {
    const extremes = price instanceof Series ? context.extremesOf(price) : null;
    const value = price instanceof Series ? (extremes?.most.value ?? 0) : (price ?? 0);
    if (Math.abs(value) <= ENERGY_PRICE_MAX_JPY) return;
    const reach = price instanceof Series ? "reaches" : "is";
    context.remark(
      "price-unit",
      place,
      () => `${name()} ${reach} ${round(value)}; ${currency}/MWh instead of ${currency}/kWh? Divide by 1000`,
    );
  };
  if (config.market.energy_price !== undefined)
    check([config.market, "energy_price"], world.energyPriceJpyPerKwh, () => "market.energy_price");
  const isPriced = (keys: AwardConfig) => ENERGY_PRICES.some(([key]) => keys[writtenPriceKey(keys, key)] !== undefined);
  if (!awards.some(isPriced)) return;
  const prices = new Map(world.awards.map((award) => [award.awardId, award]));
  awards.forEach((keys, k) => {
    const spec = isPriced(keys) ? prices.get(keys.award_id ?? `A-${k + 1}`) : undefined;
    if (spec === undefined) return;
    for (const [name, field] of ENERGY_PRICES) {
      const key = writtenPriceKey(keys, name);
      check([keys, key], spec[field], () => `${key} of ${awardName(keys, k)}`);
    }
  });
}

const ENERGY_PRICES = [
  ["price_per_kwh", "priceJpyPerKwh"],
  ["penalty_per_kwh", "penaltyJpyPerKwh"],
] as const;

/** Remarks on prices whose keys name another currency than that of the scenario (docs/model/money.md#currency). */
export function checkPriceCurrency({ awards, world, remark }: CheckContext): void {
  const currency = currencyOf(world);
  if (currency === "JPY") return;
  awards.forEach((keys, k) => {
    for (const [key, old] of Object.entries(JPY_PRICE_KEYS))
      if (keys[old] !== undefined)
        remark(
          "price-currency",
          [keys, old],
          () => `${old} of ${awardName(keys, k)} is in ${currency}, in which this scenario counts; write ${key}`,
        );
  });
}

/** Meters and telemetry of the three APIs have at most one value per second. */
const REPORT_INTERVAL_MIN_MS = MS_PER_SECOND;

/**
 * Remarks on report intervals below a second, which were probably meant in another unit and would give endless tables.
 */
export function checkReportIntervals({ config, world, remark }: CheckContext): void {
  for (const [key, table] of [["interval", "energy"] as const, ["power_interval", "power"] as const]) {
    const intervalMs = config.report[key];
    if (intervalMs === undefined || REPORT_INTERVAL_MIN_MS <= intervalMs) continue;
    remark("report-interval", [config.report, key], () => {
      const rows = (world.sites.length * (world.endMs - world.startMs)) / intervalMs;
      return `an interval of ${intervalMs} ms makes ${Math.ceil(rows)} rows of ${table}; write PT1S or longer`;
    });
  }
}
