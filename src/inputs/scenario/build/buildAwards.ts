import { formatNameList, formatValue } from "../../../base/inputError.ts";
import { internSku } from "../../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { scaleSeries } from "../../../engine/series/model/scaleSeries.ts";
import { Series } from "../../../engine/series/model/series.ts";
import type { SeriesRequirement } from "../../../engine/series/model/seriesOptions.ts";
import { findAmountFaults } from "../../../engine/vpp/instructions/checkAmounts.ts";
import type { AwardSpec, InstructionSpec, NumberOrSeries } from "../../../engine/vpp/instructions/instructionSpec.ts";
import { type AwardConfig, type InstructionConfig, JPY_PRICE_KEYS, type PriceKey } from "../schema/awardSchema.ts";
import { type BuildContext, numberOrSeries } from "./buildContext.ts";

/** References for checking the commands of a scenario. */
export interface CommandContext {
  /** Start of the scenario; `startMs` of the build context may be later (`--from`). */
  readonly scenarioStartMs: EpochMs;
  readonly vppIndexByName: ReadonlyMap<string, number>;
}

export interface CommandList<T> {
  readonly items: readonly T[];
  /** Number of items before `--from`, which are left out. */
  readonly droppedCount: number;
}

const DEFAULT_REGISTRATION_LEAD_MS = MS_PER_HOUR;
const PRICE: SeriesRequirement = { interpolation: "step" };
const PRICE_PER_KWH: SeriesRequirement = { interpolation: "step", unit: "per kWh" };

/** Awards in file order. Ids are counted before any are dropped, so that a partial run has the same names. */
export function buildAwards(
  buildContext: BuildContext,
  rows: readonly AwardConfig[],
  period: CommandContext,
  ids: Set<string>,
): CommandList<AwardSpec> {
  const { checker, startMs } = buildContext;
  const items: AwardSpec[] = [];
  let droppedCount = 0;
  for (let k = 0; k < rows.length; k++) {
    const keys = rows[k];
    const awardId = keys.award_id ?? `A-${k + 1}`;
    checkUniqueId(buildContext, keys, awardId, ids);
    checkProductAmounts(buildContext, keys);
    if (keys.end <= keys.start)
      checker.reportError(keys, "end", isoUtc(keys.end), `an instant after its start, ${isoUtc(keys.start)}`);
    if (keys.start < period.scenarioStartMs) {
      checker.reportError(
        keys,
        "start",
        isoUtc(keys.start),
        `an instant at or after the scenario's start, ${isoUtc(period.scenarioStartMs)}`,
      );
    }
    if (keys.registered_at !== undefined && keys.registered_at > keys.start) {
      checker.reportError(
        keys,
        "registered_at",
        isoUtc(keys.registered_at),
        `an instant not after the award's start, ${isoUtc(keys.start)}`,
      );
    }
    const vpp = vppOf(buildContext, keys, period);
    if (keys.start < startMs) droppedCount++;
    else {
      items.push({
        awardId,
        vpp,
        sku: internSku(keys.sku),
        startMs: keys.start,
        endMs: keys.end,
        registeredMs: Math.max(keys.registered_at ?? keys.start - DEFAULT_REGISTRATION_LEAD_MS, startMs),
        deltaKw: keys.delta_kw ?? null,
        fcrResponseKw: keys.fcr_response_kw ?? null,
        compoundBreakdown: keys.compound_breakdown ?? null,
        activation:
          numberOrSeries(buildContext, keys, "activation", { interpolation: "step", minimum: 0, maximum: 1 }) ?? 1,
        capacityPriceJpyPerKwHour: capacityPrice(buildContext, keys),
        priceJpyPerKwh: priceOf(buildContext, keys, "price_per_kwh", PRICE_PER_KWH),
        penaltyJpyPerKwh: priceOf(buildContext, keys, "penalty_per_kwh", PRICE_PER_KWH),
      });
    }
  }
  return { items, droppedCount };
}

/** Immediate instructions in file order. */
export function buildInstructions(
  buildContext: BuildContext,
  rows: readonly InstructionConfig[],
  period: CommandContext,
  ids: Set<string>,
): CommandList<InstructionSpec> {
  const { checker, startMs } = buildContext;
  const items: InstructionSpec[] = [];
  let droppedCount = 0;
  for (let k = 0; k < rows.length; k++) {
    const keys = rows[k];
    const awardId = keys.award_id ?? `I-${k + 1}`;
    checkUniqueId(buildContext, keys, awardId, ids);
    checkProductAmounts(buildContext, keys);
    if (keys.at < period.scenarioStartMs) {
      checker.reportError(
        keys,
        "at",
        isoUtc(keys.at),
        `an instant at or after the scenario's start, ${isoUtc(period.scenarioStartMs)}`,
      );
    }
    const vpp = vppOf(buildContext, keys, period);
    if (keys.at < startMs) droppedCount++;
    else {
      items.push({
        awardId,
        vpp,
        sku: internSku(keys.sku),
        atMs: keys.at,
        durationMs: Math.round(keys.duration_minutes * MS_PER_MINUTE),
        deltaKw: keys.delta_kw ?? null,
        fcrResponseKw: keys.fcr_response_kw ?? null,
        compoundBreakdown: keys.compound_breakdown ?? null,
      });
    }
  }
  return { items, droppedCount };
}

type AwardAmounts = Pick<AwardConfig, "sku" | "delta_kw" | "fcr_response_kw" | "compound_breakdown">;

/** Checks the amounts of a product by the rules of the API, and names the rule in an error. */
export function checkProductAmounts({ checker }: BuildContext, keys: AwardAmounts): void {
  if (keys.sku === undefined) return;
  const faults = findAmountFaults({
    sku: keys.sku,
    deltaKw: keys.delta_kw ?? null,
    fcrResponseKw: keys.fcr_response_kw ?? null,
    compoundBreakdown: keys.compound_breakdown ?? null,
  });
  for (const { kind, parameter, found, allowed } of faults) {
    const rule = `${allowed} (${kind})`;
    if (keys[parameter] === undefined) checker.requireKey(keys, parameter, rule);
    else checker.reportError(keys, parameter, found, rule);
  }
}

function checkUniqueId({ checker }: BuildContext, keys: object, awardId: string, ids: Set<string>): void {
  if (ids.has(awardId)) checker.reportError(keys, "award_id", `${formatValue(awardId)} again`, "each award_id once");
  ids.add(awardId);
}

/** Index of the VPP that `keys` names; -1 after reporting an unknown name. */
export function vppOf(
  { checker }: BuildContext,
  keys: { vpp: string },
  { vppIndexByName }: Pick<CommandContext, "vppIndexByName">,
): number {
  const vpp = vppIndexByName.get(keys.vpp);
  if (vpp === undefined && keys.vpp !== undefined) {
    checker.reportError(
      keys,
      "vpp",
      formatValue(keys.vpp),
      `the name of a VPP (${formatNameList(vppIndexByName.keys()) || "there is none"})`,
    );
  }
  return vpp ?? -1;
}

/** The key of a price that an award has. */
export const writtenPriceKey = (keys: AwardConfig, key: PriceKey) =>
  keys[key] === undefined ? JPY_PRICE_KEYS[key] : key;

function priceOf(context: BuildContext, keys: AwardConfig, key: PriceKey, use: SeriesRequirement) {
  const old = JPY_PRICE_KEYS[key];
  if (keys[key] !== undefined && keys[old] !== undefined)
    context.checker.reportError(keys, key, `${old} beside it`, "one of the two: they are the same price");
  return numberOrSeries(context, keys, writtenPriceKey(keys, key), use);
}

/** Per kW and hour, from either key. */
function capacityPrice(buildContext: BuildContext, keys: AwardConfig): NumberOrSeries | null {
  const perHour = priceOf(buildContext, keys, "price_per_kw_h", PRICE);
  const perHalfHour = priceOf(buildContext, keys, "price_per_kw_30min", PRICE);
  if (perHalfHour === null) return perHour;
  if (perHour !== null)
    buildContext.checker.reportError(
      keys,
      writtenPriceKey(keys, "price_per_kw_30min"),
      `${writtenPriceKey(keys, "price_per_kw_h")} beside it`,
      "one of the two: they price the same capacity",
    );
  return perHalfHour instanceof Series ? scaleSeries(perHalfHour, 2) : 2 * perHalfHour;
}
