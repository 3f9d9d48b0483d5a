import type { SiteControlRequest, VppControlRequest } from "../../../api/client/index.ts";
import type { ControlDraft } from "./controlDraft.ts";
import { type ControlField, fieldsOf, filledLegs, instant } from "./controlRules.ts";

/** Request of the site API v1; its types are not part of the public client. */
interface SiteV1ControlBody {
  readonly type: "immediate" | "schedule";
  readonly power_kw?: number;
  readonly baseline_kw?: number;
  readonly duration_minutes?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly sku?: string;
}

type ControlBody = VppControlRequest | SiteControlRequest | SiteV1ControlBody;

/** The body that the form sends: exactly the keys of its fields that are filled in. */
export function bodyOf(draft: ControlDraft): ControlBody {
  const head = { type: draft.type, ...(draft.sku === null ? {} : { sku: draft.sku }) };
  switch (draft.api) {
    case "vpp-v1":
      return { ...head, ...amountsOf(draft), ...timesOf(draft), member_baselines: memberBaselinesOf(draft) };
    case "site-v2":
      return { ...head, ...amountsOf(draft), ...componentOf(draft), ...baselineOf(draft), ...timesOf(draft) };
    case "site-v1":
      return { ...head, ...powerOf(draft), ...baselineOf(draft), ...timesOf(draft) };
  }
}

function amountsOf(draft: ControlDraft) {
  const { amountKind, amountKw, fcrResponseKw, api } = draft;
  const fields = fieldsOf(draft);
  const key = api === "site-v2" ? amountKind : "delta_kw";
  return {
    ...(fields.includes("amount") && amountKw !== null ? { [key]: amountKw } : {}),
    ...(fields.includes("fcr_response") && fcrResponseKw !== null ? { fcr_response_kw: fcrResponseKw } : {}),
    ...(fields.includes("breakdown") ? { compound_breakdown: Object.fromEntries(filledLegs(draft)) } : {}),
  };
}

function timesOf({ type, durationMinutes, startMs, endMs }: ControlDraft) {
  if (type === "immediate") return durationMinutes === null ? {} : { duration_minutes: durationMinutes };
  return {
    ...(startMs === null ? {} : { start_time: instant(startMs) }),
    ...(endMs === null ? {} : { end_time: instant(endMs) }),
  };
}

const powerOf = ({ amountKw }: ControlDraft) => (amountKw === null ? {} : { power_kw: amountKw });
const baselineOf = ({ baselineKw }: ControlDraft) => (baselineKw === null ? {} : { baseline_kw: baselineKw });
const componentOf = ({ componentId }: ControlDraft) => (componentId === null ? {} : { component_id: componentId });

const memberBaselinesOf = ({ memberBaselines }: ControlDraft) =>
  memberBaselines.flatMap(({ emsId, baselineKw }) =>
    baselineKw === null ? [] : [{ ems_id: emsId, baseline_kw: baselineKw }],
  );

/** Path after the id. */
export const controlPath = ({ api }: Pick<ControlDraft, "api">): string =>
  api === "site-v1" ? "/control/power" : "/control/active_power";

/** The field of the form at which a refused parameter of the API is shown; `null`: at none. */
export function fieldOfParameter(parameter: string | undefined, draft: ControlDraft): ControlField | null {
  if (parameter === undefined) return null;
  const [key] = parameter.split(/[.[]/);
  const field = FIELD_OF_KEY[key];
  return field !== undefined && fieldsOf(draft).includes(field) ? field : null;
}

const FIELD_OF_KEY: Readonly<Record<string, ControlField>> = {
  sku: "sku",
  delta_kw: "amount",
  site_kw: "amount",
  power_kw: "amount",
  fcr_response_kw: "fcr_response",
  compound_breakdown: "breakdown",
  duration_minutes: "duration",
  start_time: "start",
  end_time: "end",
  component_id: "component",
  baseline_kw: "baseline",
  member_baselines: "member_baselines",
};
