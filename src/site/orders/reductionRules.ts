import type { RefusalKind } from "../../base/result.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ConsumerSpec } from "../../device/consumer/consumerSpec.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { OrderBookEntry, SiteOrder } from "./siteOrder.ts";

/** The demand response that a consumer has in force, and when its last one ended. */
export interface ReductionState {
  reducing: boolean;
  sku: Sku | null;
  endedMs: EpochMs;
}

/**
 * Why a site of several components refuses an order as a whole, or `null`: exchange products need a way to send where a
 * load could be asked (docs/model/allocation.md#compatibility), and negawatts a registered baseline (29).
 */
export function checkCompositeOrder(
  spec: SiteSpec,
  order: Pick<SiteOrder, "sku">,
  hasSlots: boolean,
): RefusalKind | null {
  if (!spec.components.some(({ kind }) => kind === "consumer")) return null;
  if (order.sku === "negawatt-spot" && !hasSlots) return "baseline_not_configured";
  const isExchange = order.sku === "exchange-da" || order.sku === "exchange-ttv";
  return isExchange && !spec.capability.reverseFlowAllowed ? "sku_not_marketable" : null;
}

/** What a consumer looks at when it is asked for a reduction. */
export interface ReductionRequest {
  readonly reductionKw: number;
  readonly atMs: EpochMs;
  readonly hasBaselineSlots: boolean;
  /** The order whose reduction rules now; one product at a time (docs/model/overlap.md#dr-duplicate), of which the latest rules (47). */
  readonly activeReductionOrder: SiteOrder | null;
}

/**
 * Why a consumer refuses a reduction, or `null` when it takes it.
 *
 * A reduction of the same SKU that is in force, or ended at this very instant, simply goes on (docs/model/consumer.md#contiguous).
 *
 * @param reductionKw after the cut to the maximum; at least 0, and 0.0 is no demand response at all
 */
export function checkReduction(
  spec: ConsumerSpec,
  state: ReductionState,
  order: SiteOrder,
  { reductionKw, atMs, hasBaselineSlots: hasSlots, activeReductionOrder: reducedBy }: ReductionRequest,
): RefusalKind | null {
  const ever = checkReductionTerms(spec, order, { reductionKw, hasBaselineSlots: hasSlots });
  if (ever !== null || reductionKw === 0) return ever;
  if (reducedBy !== null && reducedBy !== order && reducedBy.sku !== order.sku) return "dr_duplicate_dispatch";
  if (state.reducing && state.sku === order.sku) return null;
  const endedMs = state.reducing ? atMs : state.endedMs;
  return atMs - endedMs < spec.minDrCooldownMs ? "dr_cooldown_active" : null;
}

/** The part of it that holds whenever the reduction comes. */
export function checkReductionTerms(
  spec: ConsumerSpec,
  order: Pick<SiteOrder, "sku" | "startMs" | "endMs">,
  { reductionKw, hasBaselineSlots: hasSlots }: Pick<ReductionRequest, "reductionKw" | "hasBaselineSlots">,
): RefusalKind | null {
  if (order.sku === "negawatt-spot" && !hasSlots) return "baseline_not_configured";
  if (reductionKw === 0) return null;
  if (reductionKw < spec.minDrReductionKw) return "dr_reduction_below_minimum";
  return order.endMs - order.startMs < spec.minDrDurationMs ? "dr_duration_below_minimum" : null;
}

/** Whether an order in force reduces the load of a site that has one. */
export const isActiveReduction = (spec: SiteSpec, ruling: readonly OrderBookEntry[], order: SiteOrder): boolean =>
  spec.components.some(({ kind }) => kind === "consumer") &&
  isForLoad(spec, order) &&
  ruling.some((held) => held.order === order && held.deltaKw < 0);

/**
 * The order in force that asks loads to go down: one that is for a load by itself, else the oldest for the site, of which
 * other components may carry all.
 */
export function findReductionOrder(ruling: readonly OrderBookEntry[], spec: SiteSpec): SiteOrder | null {
  let found: SiteOrder | null = null;
  for (const { order, deltaKw } of ruling) {
    if (deltaKw * order.activation >= 0 || !isForLoad(spec, order)) continue;
    if (typeof order.componentId === "string") return order;
    found ??= order;
  }
  return found;
}

/** What is for one component is for loads only if that is one. */
const isForLoad = ({ components }: SiteSpec, { componentId }: SiteOrder): boolean =>
  typeof componentId !== "string" ||
  components.some((component) => component.componentId === componentId && component.kind === "consumer");
