import type { DeliveryListener, DeliveryPiece } from "../../../accounting/settlement/awardSettlement.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { settledCopy } from "../../../accounting/settlement/settledCopy.ts";
import { ShortfallAttribution, type ShortfallGap } from "../../../accounting/settlement/shortfallAttribution.ts";
import { isAssessedByEnergy } from "../../../accounting/settlement/skuRules.ts";
import { sumOf } from "../../../base/lists.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { SessionRecord } from "./sessionRecord.ts";

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
  readonly gaps: readonly ShortfallGap[];
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
export function balanceOf(world: World, { ledger }: SessionRecord, instruction: Instruction): Balance | null {
  if (!instruction.hasDelta) return fcrBalance(world, instruction);
  const running = ledger.runningAccounts.find((account) => account.instruction === instruction);
  if (running === undefined) return null;
  const { nowMs, sites } = world;
  const { deltaTenths, uncoveredTenths, activation, direction, sku } = instruction;
  const probe = new PieceProbe();
  // The first copy is settled up to now, so that each gap of the second begins now.
  settledCopy(settledCopy(running, nowMs, sites), nowMs + PROBE_MS, sites, probe);
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
    gaps: probe.gaps,
  };
}

/** Of FCR alone: its capacity. What it delivers depends on the frequency, and counts as activated energy. */
function fcrBalance({ sites, nowMs }: World, instruction: Instruction): Balance {
  const capacityKw = (instruction.fcrCapacityTenths ?? 0) / 10;
  const uncoveredKw = instruction.fcrUncoveredTenths / 10;
  const attribution = new ShortfallAttribution(instruction.membership.siteIndices.length, sites);
  attribution.open(instruction);
  const gaps = CAUSES.flatMap((cause, k): ShortfallGap[] => {
    const kw = attribution.fcrUncoveredByCauseKw[k];
    return kw > 0 ? [{ stage: "allocation", cause, site: null, kw, sinceMs: nowMs }] : [];
  });
  return {
    requestedKw: capacityKw,
    dispatchedKw: capacityKw - uncoveredKw,
    deliveredKw: capacityKw - uncoveredKw,
    uncoveredKw,
    notDeliveredKw: 0,
    overKw: 0,
    bandKw: null,
    gaps,
  };
}
