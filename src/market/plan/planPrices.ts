import { meanOver } from "../../accounting/settlement/awardPrices.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import type { NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";
import { localDays } from "../../inputs/scenario/build/marketDays.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import type { PlanOptions, ReserveOption } from "./planOptions.ts";
import { type DayPrices, type PlanDay, SLOT_MS } from "./rollingPlan.ts";

/** Slots of the run by index. */
interface SlotPrices {
  readonly actual: readonly number[];
  /** Expected price of a slot when the prices before the slot `until` are known. */
  expectedAt(slot: number, until: number): number;
}

/**
 * Local days of the run, of which the first and the last one may be shorter, with their prices.
 *
 * @throws InputErrors if the scenario has no price, or if the run does not start and end with a slot
 */
export function planDaysOf(scenario: Scenario, options: PlanOptions): PlanDay[] {
  const { startMs, endMs } = scenario.world;
  if (startMs % SLOT_MS !== 0 || endMs % SLOT_MS !== 0)
    throw inputRefusal(scenario.file, "a run that does not start and end at a half hour", "whole slots of 30 minutes");
  const energy = energyPrices(scenario, options);
  const reserve = options.reserve === null ? null : reservePrices(scenario, options, options.reserve);
  const midnights = localDays(scenario.timezone, "none", startMs, endMs)
    .map(({ midnightMs }) => midnightMs)
    .filter((atMs) => startMs < atMs && atMs < endMs);
  const slotOf = (atMs: EpochMs): number => Math.round((atMs - startMs) / SLOT_MS);
  const bounds = [startMs, ...midnights, endMs].map(slotOf);
  return bounds.slice(0, -1).map((from, n) => ({
    startMs: startMs + from * SLOT_MS,
    energy: pricesOf(energy, from, bounds[n + 1], bounds[n + 2]),
    reserve: reserve === null ? null : pricesOf(reserve, from, bounds[n + 1], bounds[n + 2]),
  }));
}

/** @param nextTo  end of the next day; absent: there is none */
function pricesOf({ actual, expectedAt }: SlotPrices, from: number, to: number, nextTo = to): DayPrices {
  const expected = Array.from({ length: nextTo - from }, (_, k) => expectedAt(from + k, from));
  return {
    actual: actual.slice(from, to),
    expected: expected.slice(0, to - from),
    expectedNext: expected.slice(to - from),
  };
}

function energyPrices(scenario: Scenario, { forecast }: PlanOptions): SlotPrices {
  const { settlement, world, priceForecast, file } = scenario;
  const price = settlement?.prices.spotPerKwh ?? world.energyPriceJpyPerKwh;
  if (price === null)
    throw inputRefusal(file, "no price", "market.energy_price, or settlement.prices.spot, to plan against");
  const actual = meansOf(price, scenario);
  if (forecast === "previous_day") return { actual, expectedAt: latestKnown(actual) };
  if (forecast === "perfect") return { actual, expectedAt: (slot) => actual[slot] };
  if (priceForecast === null)
    throw inputRefusal(file, "no market.price_forecast", "a series with the expected prices, or another --forecast");
  const known = meansOf(priceForecast, scenario);
  return { actual, expectedAt: (slot) => known[slot] };
}

/** Reserve prices are known in advance, except with the forecast `previous_day`. */
function reservePrices(scenario: Scenario, { forecast }: PlanOptions, { sku, pricePerKw }: ReserveOption): SlotPrices {
  const price = pricePerKw ?? scenario.reservePrices.get(sku);
  if (price === undefined)
    throw inputRefusal(
      scenario.file,
      `no price of ${sku}`,
      `market.reserve_price_per_kw_30min with the key ${sku}, or --reserve-price`,
    );
  const actual = meansOf(price, scenario);
  return { actual, expectedAt: forecast === "previous_day" ? latestKnown(actual) : (slot) => actual[slot] };
}

/** The price at the same time of the latest known day; the first 24 hours of the run count as known. */
const latestKnown =
  (actual: readonly number[]) =>
  (slot: number, until: number): number => {
    const beyond = Math.max(0, slot - Math.max(until, SLOTS_PER_DAY) + 1);
    return actual[slot - Math.ceil(beyond / SLOTS_PER_DAY) * SLOTS_PER_DAY];
  };

const SLOTS_PER_DAY = MS_PER_DAY / SLOT_MS;

/** Mean price of each slot of the run. */
function meansOf(price: NumberOrSeries, { world: { startMs, endMs } }: Scenario): number[] {
  const prices: number[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += SLOT_MS) prices.push(meanOver(price, atMs, atMs + SLOT_MS));
  return prices;
}
