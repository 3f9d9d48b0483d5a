import { roundKw } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { DayBaseline } from "../../scenario/build/dayBaselineBuilder.ts";
import { type BaselineDay, isEventSlot } from "../../site/baseline/dayBaseline/planDayBaseline.ts";
import type { BaselineSpec } from "../../site/siteSpec.ts";

/** The method behind one slot, in the at most 64 characters that the site API accepts as `method_note`. */
export function methodNote(
  baseline: BaselineSpec,
  explained: DayBaseline | undefined,
  plan: BaselineDay | undefined,
  slotMs: EpochMs,
): string {
  if (baseline.method === "series") return `Series ${baseline.plan.name}`.slice(0, 64);
  if (baseline.method === "perfect") return "Undisturbed load or generation";
  if (baseline.method === "capacity_factor") return "Capacity factor by clear-sky shape";
  if (baseline.method === "zero") return "Zero";
  if (baseline.method === "constant") return "Constant";
  if (explained === undefined || plan === undefined) return baseline.method;
  const { size, keep } = plan.choice.requiredSample;
  const name = explained.rule.sameTypeOnly ? `High ${keep} of ${size}` : `Average of ${keep} days`;
  if (plan.adjustment === null || !isEventSlot(plan, slotMs)) return name;
  return `${name}, same-day adjustment ${formatSignedKw(plan.adjustment.adjustmentKw)} kW`;
}

/** One decimal with its sign. */
export function formatSignedKw(kw: number): string {
  const rounded = roundKw(kw);
  return `${rounded > 0 ? "+" : ""}${rounded.toFixed(1)}`;
}
