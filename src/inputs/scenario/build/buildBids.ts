import { formatValue } from "../../../base/inputError.ts";
import { internSku } from "../../../base/sku.ts";
import { isoUtc, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { SeriesRequirement } from "../../../engine/series/model/seriesOptions.ts";
import { type BidSlot, type BidUnit, clearBid, type PricedBid, type TakenPeriod } from "../../../market/clearBid.ts";
import type { AwardConfig, BidConfig } from "../schema/awardSchema.ts";
import { type CommandContext, checkProductAmounts, vppOf } from "./buildAwards.ts";
import { type BuildContext, numberOrSeries } from "./buildContext.ts";

/** Market results of the bids of a scenario. */
export interface ClearedBids {
  /** In file order, each bid in order of time. */
  readonly slots: readonly BidSlot[];
  /** The accepted periods in the form of awards. */
  readonly awards: readonly AwardConfig[];
  /** Number of bids before `--from`, which are left out. */
  readonly droppedCount: number;
}

const UNIT_BY_KEY = {
  bid_per_kw_30min: "kw_30min",
  bid_per_kw_h: "kw_h",
  bid_per_kwh: "kwh",
  bid_jpy_per_kw_30min: "kw_30min",
  bid_jpy_per_kw_h: "kw_h",
  bid_jpy_per_kwh: "kwh",
} as const satisfies Partial<Record<keyof BidConfig, BidUnit>>;
type BidPriceKey = keyof typeof UNIT_BY_KEY;
const PRICE_KEYS = Object.keys(UNIT_BY_KEY) as BidPriceKey[];

/** Key of the award for the price of each kind of bid. */
const AWARD_PRICE_KEY = {
  bid_per_kw_30min: "price_per_kw_30min",
  bid_per_kw_h: "price_per_kw_h",
  bid_per_kwh: "price_per_kwh",
  bid_jpy_per_kw_30min: "price_jpy_per_kw_30min",
  bid_jpy_per_kw_h: "price_jpy_per_kw_h",
  bid_jpy_per_kwh: "price_jpy_per_kwh",
} as const satisfies Record<BidPriceKey, keyof AwardConfig>;

/** Clears the bids of a scenario (docs/model/bids.md). Bids with errors are reported and become no awards. */
export function buildBids(context: BuildContext, rows: readonly BidConfig[], period: CommandContext): ClearedBids {
  const slots: BidSlot[] = [];
  const awards: AwardConfig[] = [];
  const ids = new Set<string>();
  let droppedCount = 0;
  for (let k = 0; k < rows.length; k++) {
    const keys = rows[k];
    const bidId = keys.bid_id ?? `B-${k + 1}`;
    if (ids.has(bidId)) context.checker.reportError(keys, "bid_id", `${formatValue(bidId)} again`, "each bid_id once");
    ids.add(bidId);
    const before = context.checker.errors.count;
    const priceKey = checkBid(context, keys, period);
    if (priceKey === null || context.checker.errors.count > before) continue;
    if (keys.start < context.startMs) {
      droppedCount++;
      continue;
    }
    const bid = pricedBid(context, keys, bidId, priceKey);
    // A series with errors has no values.
    if (context.checker.errors.count > 0) continue;
    const cleared = clearBid(bid, context.endMs);
    for (const slot of cleared.slots) slots.push(slot);
    for (const taken of cleared.taken) awards.push(awardOf(keys, priceKey, taken, bid.paid));
  }
  return { slots, awards, droppedCount };
}

/** @returns the key of the bid's price; `null` without exactly one */
function checkBid(context: BuildContext, keys: BidConfig, period: CommandContext): BidPriceKey | null {
  const { checker } = context;
  checkProductAmounts(context, keys);
  vppOf(context, keys, period);
  const slotMs = keys.slot ?? MS_PER_HALF_HOUR;
  if (keys.end <= keys.start)
    checker.reportError(keys, "end", isoUtc(keys.end), `an instant after its start, ${isoUtc(keys.start)}`);
  else if ((keys.end - keys.start) % slotMs !== 0)
    checker.reportError(keys, "end", isoUtc(keys.end), "an instant a whole number of slots after its start");
  if (keys.start < period.scenarioStartMs)
    checker.reportError(
      keys,
      "start",
      isoUtc(keys.start),
      `an instant at or after the scenario's start, ${isoUtc(period.scenarioStartMs)}`,
    );
  const given = PRICE_KEYS.filter((key) => keys[key] !== undefined);
  // A faulty price is absent, and reported.
  if (given.length === 0 && PRICE_KEYS.some((key) => checker.isWritten(keys, key))) return null;
  if (given.length !== 1) {
    const found = given.length === 0 ? "no price" : given.join(" and ");
    checker.reportError(keys, null, found, `one of ${PRICE_KEYS.filter((key) => !key.includes("_jpy_")).join(", ")}`);
    return null;
  }
  const [key] = given;
  if (UNIT_BY_KEY[key] === "kwh") {
    for (const price of ["price_jpy_per_kwh", "price_per_kwh"] as const)
      if (keys[price] !== undefined)
        checker.reportError(keys, price, `${key} beside it`, "one of the two: they price the same energy");
    if (keys.delta_kw === undefined || keys.delta_kw === 0)
      checker.reportError(keys, key, "no energy", "with a delta_kw below 0 to sell, or above 0 to buy");
  }
  return key;
}

function pricedBid(context: BuildContext, keys: BidConfig, bidId: string, priceKey: BidPriceKey): PricedBid {
  const use: SeriesRequirement =
    UNIT_BY_KEY[priceKey] === "kwh" ? { interpolation: "step", unit: "per kWh" } : { interpolation: "step" };
  const pricePerUnit = numberOrSeries(context, keys, priceKey, use) ?? 0;
  return {
    bidId,
    vpp: keys.vpp,
    sku: internSku(keys.sku),
    kw: keys.delta_kw ?? keys.fcr_response_kw ?? 0,
    unit: UNIT_BY_KEY[priceKey],
    startMs: keys.start,
    endMs: keys.end,
    slotMs: keys.slot ?? MS_PER_HALF_HOUR,
    isAllOrNone: keys.all_or_none,
    pricePerUnit,
    clearedPricePerUnit: numberOrSeries(context, keys, "cleared_price", use) ?? 0,
    paid: keys.paid ?? (UNIT_BY_KEY[priceKey] === "kwh" ? "cleared" : "bid"),
    reservationPricePerUnit: numberOrSeries(context, keys, "reservation_price", use) ?? pricePerUnit,
  };
}

/** The award of an accepted period; its errors are reported at the bid. */
function awardOf(
  keys: BidConfig,
  priceKey: BidPriceKey,
  { awardId, startMs, endMs }: TakenPeriod,
  paid: PricedBid["paid"],
): AwardConfig {
  return {
    ...keys,
    award_id: awardId,
    start: startMs,
    end: endMs,
    [AWARD_PRICE_KEY[priceKey]]: paid === "bid" ? keys[priceKey] : keys.cleared_price,
  };
}
