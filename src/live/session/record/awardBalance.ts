import {
  AwardSettlement,
  type DeliveryListener,
  type DeliveryPiece,
} from "../../../accounting/settlement/awardSettlement.ts";
import { settledCopy } from "../../../accounting/settlement/settledCopy.ts";
import type { ShortfallAttribution, ShortfallGap } from "../../../accounting/settlement/shortfallAttribution.ts";
import { isAssessedByEnergy } from "../../../accounting/settlement/skuRules.ts";
import { sumOf } from "../../../base/lists.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import { fcrGaps } from "./fcrGaps.ts";
import type { GapSince } from "./gapWatch.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** A gap with its past. */
export type BalanceGap = Pick<ShortfallGap, "stage" | "cause" | "site" | "kw"> & GapSince;

/** Requested, dispatched and delivered power of a running instruction at one instant; signed kW. */
export interface Balance {
  readonly requestedKw: number;
  readonly dispatchedKw: number;
  readonly deliveredKw: number;
  /** Requested and not dispatched, dispatched and not delivered, delivered beyond what is dispatched; at least 0. */
  readonly uncoveredKw: number;
  readonly notDeliveredKw: number;
  readonly overKw: number;
  /** Limits of the compliance band, the lower first; `null`: the product is not assessed by power. */
  readonly bandKw: readonly [number, number] | null;
  readonly gaps: readonly BalanceGap[];
}

/** The account of an award is settled this far beyond the present, to read its gaps. No event lies in between. */
const PROBE_MS = 1;

/** Stores the first settled piece; later pieces are ignored. */
class PieceProbe implements DeliveryListener {
  deliveredKw = 0;
  gaps: readonly ShortfallGap[] = [];
  private hasPiece = false;

  addDelivery(_vpp: number, { fromKw, pieceHours }: DeliveryPiece, attribution: ShortfallAttribution | null): void {
    if (this.hasPiece) return;
    this.hasPiece = true;
    this.deliveredKw = fromKw;
    this.gaps = attribution?.pieceGaps(pieceHours) ?? [];
  }
}

/** The balance of a running instruction now; `null` if it does not run. Changes nothing. */
export function balanceOf(
  world: World,
  { ledger, gapWatches }: SessionRecord,
  instruction: Instruction,
): Balance | null {
  const watch = gapWatches.continued(instruction);
  const withPast = (gaps: readonly ShortfallGap[]): BalanceGap[] =>
    gaps.map((gap) => ({ ...gap, ...watch.since(gap, world.nowMs) }));
  if (!instruction.hasDelta) return { ...fcrBalance(instruction), gaps: withPast(fcrGaps(world.sites, instruction)) };
  const running = ledger.runningAccounts.find((account) => account.instruction === instruction);
  if (running === undefined) return null;
  const { nowMs, sites } = world;
  const { deltaTenths, uncoveredTenths, activation, direction, sku } = instruction;
  const probe = new PieceProbe();
  const copy = settledCopy(running, nowMs, sites, { delivery: null, awards: [watch] });
  new AwardSettlement(sites, { delivery: probe, awards: [watch] }).settle(copy, nowMs + PROBE_MS);
  const requestedKw = (deltaTenths / 10) * activation;
  const dispatchedKw = ((deltaTenths - uncoveredTenths) / 10) * activation;
  const notDeliveredKw = sumOf(
    probe.gaps.filter(({ stage }) => stage === "delivery"),
    ({ kw }) => kw,
  );
  const overKw = direction * (probe.deliveredKw - dispatchedKw) + notDeliveredKw;
  const bandKw = isAssessedByEnergy(sku) ? null : ([0.9 * requestedKw, 1.1 * requestedKw] as const);
  return {
    requestedKw,
    dispatchedKw,
    deliveredKw: probe.deliveredKw,
    uncoveredKw: Math.max(0, direction * uncoveredTenths * activation) / 10,
    notDeliveredKw,
    overKw: Math.max(0, overKw),
    bandKw: bandKw === null || bandKw[0] <= bandKw[1] ? bandKw : [bandKw[1], bandKw[0]],
    gaps: withPast(probe.gaps),
  };
}

/** Of FCR alone: its capacity. What it delivers depends on the frequency, and counts as activated energy. */
function fcrBalance(instruction: Instruction): Omit<Balance, "gaps"> {
  const capacityKw = (instruction.fcrCapacityTenths ?? 0) / 10;
  const uncoveredKw = instruction.fcrUncoveredTenths / 10;
  return {
    requestedKw: capacityKw,
    dispatchedKw: capacityKw - uncoveredKw,
    deliveredKw: capacityKw - uncoveredKw,
    uncoveredKw,
    notDeliveredKw: 0,
    overKw: 0,
    bandKw: null,
  };
}
