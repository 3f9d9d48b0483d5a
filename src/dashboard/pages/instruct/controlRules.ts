// Rules of control requests that need no knowledge of the plant, as the form shows them before it sends. The server
// checks them again, and its refusal is shown at the same field. A test compares them with the schemas of the APIs.
import type { Sku } from "../../../api/client/sandboxTypes.ts";
import { SKUS } from "../../../api/client/wireValues.ts";
import { type MessageText, message } from "../../messages/messageText.ts";
import { type ControlApi, type ControlDraft, LEGS, type Leg } from "./controlDraft.ts";

export type ControlField =
  | "sku"
  | "amount"
  | "fcr_response"
  | "breakdown"
  | "duration"
  | "start"
  | "end"
  | "baseline"
  | "component"
  | "member_baselines";

export interface FieldProblem {
  readonly field: ControlField;
  readonly text: MessageText;
}

/** Site API v1 knows neither compounds nor demand reduction. */
const SITE_V1_SKUS: readonly Sku[] = SKUS.filter((sku) => sku !== "compound" && sku !== "negawatt-spot");

export const skusOf = (api: ControlApi): readonly Sku[] => (api === "site-v1" ? SITE_V1_SKUS : SKUS);

export const kwMaxOf = (api: ControlApi): number => (api === "site-v1" ? 999_999 : 999_999.9);
export const DURATION_MINUTES = { min: 1, max: 1440 } as const;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 1440 * MS_PER_MINUTE;
const START_MS = { min: MS_PER_MINUTE, max: 90 * MS_PER_DAY } as const;
const LENGTH_MS = { min: MS_PER_MINUTE, max: MS_PER_DAY } as const;

/** Instants between which a schedule may start, in epoch milliseconds. @param nowMs  simulated present */
function startRange(nowMs: number): { readonly minMs: number; readonly maxMs: number } {
  const secondMs = Math.floor(nowMs / 1000) * 1000;
  return { minMs: secondMs + START_MS.min, maxMs: secondMs + START_MS.max };
}

/** Instants between which a schedule that starts at `startMs` may end. */
const endRange = (startMs: number): { readonly minMs: number; readonly maxMs: number } => ({
  minMs: startMs + LENGTH_MS.min,
  maxMs: startMs + LENGTH_MS.max,
});

/** Whether the product is requested as a two-sided capacity alone. */
export const isCapacityOnly = ({ api, sku }: ControlDraft): boolean => sku === "fcr" && api !== "site-v1";

/** The fields that the request of this product, type and API has, in the order of the form. */
export function fieldsOf(draft: ControlDraft): readonly ControlField[] {
  const { api, type, sku, hasBreakdown } = draft;
  const isCompound = sku === "compound";
  return [
    "sku",
    ...(isCapacityOnly(draft) ? [] : (["amount"] as const)),
    ...(isCapacityOnly(draft) || isCompound ? (["fcr_response"] as const) : []),
    ...(isCompound && hasBreakdown ? (["breakdown"] as const) : []),
    ...(type === "immediate" ? (["duration"] as const) : (["start", "end"] as const)),
    ...(api === "site-v2" ? (["component"] as const) : []),
    ...(api === "vpp-v1" ? (["member_baselines"] as const) : (["baseline"] as const)),
  ];
}

/** Problems that the form finds before sending, at most one per field. */
export function problemsOf(draft: ControlDraft, nowMs: number): readonly FieldProblem[] {
  const shown = fieldsOf(draft);
  const found = [
    ...amountProblems(draft),
    ...capacityProblems(draft),
    ...breakdownProblems(draft),
    ...(draft.type === "immediate" ? durationProblems(draft) : periodProblems(draft, nowMs)),
    ...baselineProblems(draft),
  ];
  return shown.flatMap((field) => found.filter((problem) => problem.field === field).slice(0, 1));
}

const problem = (field: ControlField, key: MessageText["key"], values: MessageText["values"] = {}): FieldProblem => ({
  field,
  text: message(key, values),
});

function amountProblems({ api, amountKw, componentId, amountKind }: ControlDraft): FieldProblem[] {
  const maxKw = kwMaxOf(api);
  if (amountKw === null) return [problem("amount", "rules.amount_required")];
  if (Math.abs(amountKw) > maxKw)
    return [problem("amount", "rules.range_kw", { min: { kw: -maxKw }, max: { kw: maxKw } })];
  if (componentId !== null && amountKind === "site_kw") return [problem("amount", "rules.component_has_no_target")];
  return [];
}

function capacityProblems(draft: ControlDraft): FieldProblem[] {
  const { fcrResponseKw, amountKw, sku } = draft;
  if (fcrResponseKw === null) return isCapacityOnly(draft) ? [problem("fcr_response", "rules.capacity_required")] : [];
  const maxKw = kwMaxOf(draft.api);
  if (fcrResponseKw < 0) return [problem("fcr_response", "rules.capacity_not_negative")];
  if (fcrResponseKw > maxKw) return [problem("fcr_response", "rules.range_kw", { min: { kw: 0 }, max: { kw: maxKw } })];
  if (sku === "compound" && amountKw !== null && tenths(fcrResponseKw) > Math.abs(tenths(amountKw)))
    return [problem("fcr_response", "rules.capacity_above_amount", { kw: { kw: Math.abs(amountKw) } })];
  return [];
}

const tenths = (kw: number): number => Math.round(kw * 10);

/** The parts of a compound that are filled in. */
export const filledLegs = ({ breakdown }: ControlDraft): readonly (readonly [Leg, number])[] =>
  LEGS.flatMap((leg) => {
    const kw = breakdown[leg];
    return kw === null ? [] : [[leg, kw] as const];
  });

function breakdownProblems(draft: ControlDraft): FieldProblem[] {
  const { amountKw, fcrResponseKw } = draft;
  if (!fieldsOf(draft).includes("breakdown") || amountKw === null) return [];
  const legs = filledLegs(draft);
  const totalTenths = tenths(amountKw);
  const at = (key: MessageText["key"], values: MessageText["values"] = {}) => [problem("breakdown", key, values)];
  if (legs.length < 2) return at("rules.two_legs");
  const wrongSign = legs.find(([leg, kw]) => tenths(kw) * (leg === "fcr_response_kw" ? 1 : Math.sign(totalTenths)) < 0);
  if (wrongSign !== undefined) return at("rules.leg_sign", { leg: wrongSign[0] });
  const capacityLeg = legs.find(([leg]) => leg === "fcr_response_kw")?.[1] ?? 0;
  if (tenths(capacityLeg) !== tenths(fcrResponseKw ?? 0))
    return at("rules.leg_capacity", { kw: { kw: fcrResponseKw ?? 0 } });
  const largest = Math.max(...legs.map(([, kw]) => Math.abs(tenths(kw))));
  const values = { kw: { kw: Math.abs(amountKw) } };
  if (largest > Math.abs(totalTenths)) return at("rules.leg_above_amount", values);
  return largest === Math.abs(totalTenths) ? [] : at("rules.largest_leg", values);
}

function durationProblems({ durationMinutes }: ControlDraft): FieldProblem[] {
  const { min, max } = DURATION_MINUTES;
  const isAllowed =
    durationMinutes !== null && Number.isInteger(durationMinutes) && min <= durationMinutes && durationMinutes <= max;
  return isAllowed ? [] : [problem("duration", "rules.duration", { min: { count: min }, max: { count: max } })];
}

function periodProblems({ startMs, endMs, api }: ControlDraft, nowMs: number): FieldProblem[] {
  if (startMs === null || endMs === null)
    return [
      ...(startMs === null ? [problem("start", "rules.start_required")] : []),
      ...(endMs === null ? [problem("end", "rules.end_required")] : []),
    ];
  const start = startRange(nowMs);
  const end = endRange(startMs);
  const between = ({ minMs, maxMs }: typeof start) => ({ min: { at: instant(minMs) }, max: { at: instant(maxMs) } });
  const found: FieldProblem[] = [];
  if (startMs < start.minMs || start.maxMs < startMs) found.push(problem("start", "rules.start_range", between(start)));
  if (endMs < end.minMs || end.maxMs < endMs) found.push(problem("end", "rules.end_range", between(end)));
  if (api !== "site-v1") return found;
  if (startMs % MS_PER_MINUTE !== 0) found.push(problem("start", "rules.whole_minute"));
  if (endMs % MS_PER_MINUTE !== 0) found.push(problem("end", "rules.whole_minute"));
  return found;
}

/** Wire form of an instant: UTC with whole seconds. */
export const instant = (ms: number): string => `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;

function baselineProblems({ api, baselineKw, memberBaselines }: ControlDraft): FieldProblem[] {
  const maxKw = kwMaxOf(api);
  const range = { min: { kw: -maxKw }, max: { kw: maxKw } };
  if (api !== "vpp-v1")
    return baselineKw !== null && Math.abs(baselineKw) > maxKw ? [problem("baseline", "rules.range_kw", range)] : [];
  const missing = memberBaselines.find((member) => member.isInService && member.baselineKw === null);
  if (missing !== undefined) return [problem("member_baselines", "rules.baseline_missing", { site: missing.site })];
  if (memberBaselines.every((member) => member.baselineKw === null))
    return [problem("member_baselines", "rules.baselines_required")];
  const isOutside = memberBaselines.some(({ baselineKw: kw }) => kw !== null && Math.abs(kw) > maxKw);
  return isOutside ? [problem("member_baselines", "rules.range_kw", range)] : [];
}
