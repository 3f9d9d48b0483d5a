import { namedOnce } from "../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { amountFaults } from "../../vpp/instructions/checkAmounts.ts";
import type { AwardSpec, InstructionSpec, NumberOrSeries } from "../../vpp/instructions/orderSpec.ts";
import { listed, shown } from "../parse/inputError.ts";
import type { AwardKeys, InstructionKeys } from "../schema/awardSchema.ts";
import type { Building } from "./building.ts";
import type { SeriesUse } from "./seriesBook.ts";

/** What the commands of a scenario are checked against. */
export interface CommandPeriod {
  /** The scenario's own start; `startMs` of the building may be later (`--from`). */
  readonly writtenStartMs: EpochMs;
  readonly vpps: ReadonlyMap<string, number>;
}

export interface Commands<T> {
  readonly kept: readonly T[];
  /** Left out because they lie before `--from`. */
  readonly droppedCount: number;
}

const REGISTERED_BEFORE_MS = MS_PER_HOUR;
const PRICE: SeriesUse = { interpolation: "step" };

/** Awards in file order. Ids are counted before any is dropped, so that a part of a run keeps the names. */
export function buildAwards(
  building: Building,
  rows: readonly AwardKeys[],
  period: CommandPeriod,
  ids: Set<string>,
): Commands<AwardSpec> {
  const { checker, startMs } = building;
  const kept: AwardSpec[] = [];
  let droppedCount = 0;
  for (let k = 0; k < rows.length; k++) {
    const keys = rows[k];
    const awardId = keys.award_id ?? `A-${k + 1}`;
    checkId(building, keys, awardId, ids);
    checkKeys(building, keys);
    if (keys.end <= keys.start)
      checker.report(keys, "end", isoUtc(keys.end), `an instant after its start, ${isoUtc(keys.start)}`);
    if (keys.start < period.writtenStartMs) {
      checker.report(
        keys,
        "start",
        isoUtc(keys.start),
        `an instant at or after the scenario's start, ${isoUtc(period.writtenStartMs)}`,
      );
    }
    if (keys.registered_at !== undefined && keys.registered_at > keys.start) {
      checker.report(
        keys,
        "registered_at",
        isoUtc(keys.registered_at),
        `an instant not after the award's start, ${isoUtc(keys.start)}`,
      );
    }
    const vpp = vppOf(building, keys, period);
    if (keys.start < startMs) droppedCount++;
    else {
      kept.push({
        awardId,
        vpp,
        sku: namedOnce(keys.sku),
        startMs: keys.start,
        endMs: keys.end,
        registeredMs: Math.max(keys.registered_at ?? keys.start - REGISTERED_BEFORE_MS, startMs),
        deltaKw: keys.delta_kw ?? null,
        fcrResponseKw: keys.fcr_response_kw ?? null,
        compoundBreakdown: keys.compound_breakdown ?? null,
        activation:
          numberOrSeries(building, keys, "activation", { interpolation: "step", minimum: 0, maximum: 1 }) ?? 1,
        priceJpyPerKwH: numberOrSeries(building, keys, "price_jpy_per_kw_h", PRICE),
        priceJpyPerKwh: numberOrSeries(building, keys, "price_jpy_per_kwh", PRICE),
        penaltyJpyPerKwh: numberOrSeries(building, keys, "penalty_jpy_per_kwh", PRICE),
      });
    }
  }
  return { kept, droppedCount };
}

/** Immediate instructions in file order. */
export function buildInstructions(
  building: Building,
  rows: readonly InstructionKeys[],
  period: CommandPeriod,
  ids: Set<string>,
): Commands<InstructionSpec> {
  const { checker, startMs } = building;
  const kept: InstructionSpec[] = [];
  let droppedCount = 0;
  for (let k = 0; k < rows.length; k++) {
    const keys = rows[k];
    const awardId = keys.award_id ?? `I-${k + 1}`;
    checkId(building, keys, awardId, ids);
    checkKeys(building, keys);
    if (keys.at < period.writtenStartMs) {
      checker.report(
        keys,
        "at",
        isoUtc(keys.at),
        `an instant at or after the scenario's start, ${isoUtc(period.writtenStartMs)}`,
      );
    }
    const vpp = vppOf(building, keys, period);
    if (keys.at < startMs) droppedCount++;
    else {
      kept.push({
        awardId,
        vpp,
        sku: namedOnce(keys.sku),
        atMs: keys.at,
        durationMs: Math.round(keys.duration_minutes * MS_PER_MINUTE),
        deltaKw: keys.delta_kw ?? null,
        fcrResponseKw: keys.fcr_response_kw ?? null,
        compoundBreakdown: keys.compound_breakdown ?? null,
      });
    }
  }
  return { kept, droppedCount };
}

type Amounts = Pick<AwardKeys, "sku" | "delta_kw" | "fcr_response_kw" | "compound_breakdown">;

/** Which amounts a product takes: the rules by which a caller of the API is refused, with their names. */
function checkKeys({ checker }: Building, keys: Amounts): void {
  if (keys.sku === undefined) return;
  const faults = amountFaults({
    sku: keys.sku,
    deltaKw: keys.delta_kw ?? null,
    fcrResponseKw: keys.fcr_response_kw ?? null,
    compoundBreakdown: keys.compound_breakdown ?? null,
  });
  for (const { kind, parameter, found, allowed } of faults) {
    const rule = `${allowed} (${kind})`;
    if (keys[parameter] === undefined) checker.requireKey(keys, parameter, rule);
    else checker.report(keys, parameter, found, rule);
  }
}

function checkId({ checker }: Building, keys: object, awardId: string, ids: Set<string>): void {
  if (ids.has(awardId)) checker.report(keys, "award_id", `${shown(awardId)} again`, "each award_id once");
  ids.add(awardId);
}

function vppOf({ checker }: Building, keys: { vpp: string }, { vpps }: CommandPeriod): number {
  const vpp = vpps.get(keys.vpp);
  if (vpp === undefined && keys.vpp !== undefined) {
    checker.report(keys, "vpp", shown(keys.vpp), `the name of a VPP (${listed(vpps.keys()) || "there is none"})`);
  }
  return vpp ?? -1;
}

type PriceKey = "activation" | "price_jpy_per_kw_h" | "price_jpy_per_kwh" | "penalty_jpy_per_kwh";

function numberOrSeries({ series }: Building, keys: AwardKeys, key: PriceKey, use: SeriesUse): NumberOrSeries | null {
  const value = keys[key];
  return typeof value === "string" ? series.resolve(keys, key, use) : (value ?? null);
}
