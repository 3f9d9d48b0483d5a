import type { Sku } from "../../../api/client/sandboxTypes.ts";

export type ControlApi = "vpp-v1" | "site-v2" | "site-v1";
export type ControlType = "immediate" | "schedule";
export type Leg = "fcr_response_kw" | "s-frr" | "frr" | "rr";
/** What a site API v2 amount is: a change from the baseline, or a target at the grid connection point. */
type AmountKind = "delta_kw" | "site_kw";

/** The form of one control request as filled in; `null`: an empty field. */
export interface ControlDraft {
  readonly api: ControlApi;
  readonly type: ControlType;
  /** `null`: operation without a market product. */
  readonly sku: Sku | null;
  readonly amountKind: AmountKind;
  /** kW, import positive. */
  readonly amountKw: number | null;
  /** Two-sided capacity in kW. */
  readonly fcrResponseKw: number | null;
  readonly hasBreakdown: boolean;
  readonly breakdown: Readonly<Record<Leg, number | null>>;
  readonly durationMinutes: number | null;
  /** Instants in epoch milliseconds. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** Of a site API; `null`: none is sent. */
  readonly baselineKw: number | null;
  /** Of site API v2; `null`: the whole site. */
  readonly componentId: string | null;
  /** Of the VPP API. */
  readonly memberBaselines: readonly MemberBaseline[];
}

export interface MemberBaseline {
  readonly site: string;
  readonly emsId: string;
  readonly isInService: boolean;
  readonly baselineKw: number | null;
}

export const LEGS: readonly Leg[] = ["fcr_response_kw", "s-frr", "frr", "rr"];
const MS_PER_MINUTE = 60_000;
const MS_PER_HALF_HOUR = 30 * MS_PER_MINUTE;

/** A draft whose schedule begins at the first half hour that can still be ordered. */
export function newDraft(api: ControlApi, nowMs: number): ControlDraft {
  const startMs = Math.ceil((nowMs + MS_PER_MINUTE) / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR;
  return {
    api,
    type: "schedule",
    sku: null,
    amountKind: "delta_kw",
    amountKw: null,
    fcrResponseKw: null,
    hasBreakdown: false,
    breakdown: { fcr_response_kw: null, "s-frr": null, frr: null, rr: null },
    durationMinutes: 30,
    startMs,
    endMs: startMs + MS_PER_HALF_HOUR,
    baselineKw: null,
    componentId: null,
    memberBaselines: [],
  };
}
