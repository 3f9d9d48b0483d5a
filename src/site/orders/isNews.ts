import type { Target } from "../components/target.ts";
import { sameFcr } from "../frequency/fcrTarget.ts";
import type { Unit } from "../unit.ts";

/** Whether the plant would notice: a reduction is known by its delta, a set-point by its sum. */
export function isNews(a: Target, b: Target, kind: Unit["kind"]): boolean {
  // Several components are told their amounts by themselves.
  if (kind === "multi_component") return !sameFcr(a.fcr, b.fcr);
  if (a.instructed !== b.instructed || !sameFcr(a.fcr, b.fcr)) return true;
  return kind === "consumer" ? a.deltaKw !== b.deltaKw : a.baselineKw + a.deltaKw !== b.baselineKw + b.deltaKw;
}
