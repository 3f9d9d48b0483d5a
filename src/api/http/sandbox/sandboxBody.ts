import { SKUS, type Sku } from "../../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_DAY } from "../../../base/time.ts";
import { expectedInstantFormat, parseInstantText } from "../../../engine/series/csv/parseInstant.ts";
import type { OutputControlReason } from "../../../engine/simulation/worldSpec.ts";
import { formatValue } from "../../../inputs/scenario/parse/inputError.ts";
import { parseDuration } from "../../../inputs/scenario/parse/parseDuration.ts";
import { FAULT_KINDS, type FaultKind, type FaultSpec } from "../../../live/session/fault.ts";
import { isSpeed, SPEED_MAX, SPEED_MIN, type Speed } from "../../../live/session/pace.ts";
import type { Trial } from "../../../live/session/record/dispatchPreview.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";

/** Message of each error status. */
export const SANDBOX_MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Sandbox token missing or wrong",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  413: "Payload too large",
  415: "Unsupported media type",
  500: "Internal error",
  503: "Service unavailable",
};

type Body = Readonly<Record<string, unknown>>;

export const OUTPUT_CONTROL_REASONS: readonly OutputControlReason[] = [
  "fit_curtailment",
  "non_firm_congestion",
  "manual",
  "other",
];
const LABEL_MAX = 200;
/** A hundred years: longer durations could exceed the range of dates. */
const DURATION_MAX_DAYS = 36_525;
const DURATION_MAX_MS = DURATION_MAX_DAYS * MS_PER_DAY;

const invalidParameter = (parameter: string, found: unknown, allowed: string): SessionRefusal =>
  new SessionRefusal(400, `Found ${formatValue(found)}, allowed ${allowed}`, parameter);

/** A body as an object without other keys than `keys`; no body counts as an empty one. */
export function readBody(keys: readonly string[], body: unknown): Body {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body))
    throw new SessionRefusal(400, `Found ${formatValue(body)}, allowed a JSON object`);
  const stranger = Object.keys(body).find((key) => !keys.includes(key));
  if (stranger !== undefined)
    throw new SessionRefusal(
      400,
      `Found the key ${formatValue(stranger)}, allowed ${keys.join(", ") || "none"}`,
      stranger,
    );
  return body as Body;
}

/** Target of an advance, as a function of the present instant: `{by}` or `{to}` (docs/model/sandbox.md#advance). */
export function readAdvanceTarget(body: unknown, endMs: EpochMs): (nowMs: EpochMs) => EpochMs {
  const { by, to } = readBody(["by", "to"], body);
  if ((by === undefined) === (to === undefined))
    throw new SessionRefusal(400, `Found ${by === undefined ? "neither" : "both"} by and to, allowed one of them`);
  const durationOrInstant = to === undefined ? readDurationMs("by", by) : readInstant("to", to);
  return (nowMs) => {
    const targetMs = to === undefined ? nowMs + durationOrInstant : durationOrInstant;
    const limit = `an instant from now, ${isoUtc(floorToSecond(nowMs))}, to the scenario's end, ${isoUtc(endMs)}`;
    if (targetMs < floorToSecond(nowMs) || endMs < targetMs)
      throw new SessionRefusal(400, `Found ${isoUtc(targetMs)}, allowed ${limit}`, to === undefined ? "by" : "to");
    return Math.max(targetMs, nowMs);
  };
}

function readDurationMs(parameter: string, value: unknown): number {
  const ms = typeof value === "string" ? parseDuration(value) : null;
  if (ms === null || /[YW]/.test(String(value)))
    throw invalidParameter(
      parameter,
      value,
      "an ISO 8601 duration of days, hours, minutes and seconds, such as PT90S or P1DT12H",
    );
  if (DURATION_MAX_MS < ms) throw invalidParameter(parameter, value, `a duration of at most P${DURATION_MAX_DAYS}D`);
  return ms;
}

function readInstant(parameter: string, value: unknown): EpochMs {
  const atMs = typeof value === "string" ? parseInstantText(value) : Number.NaN;
  if (Number.isNaN(atMs))
    throw invalidParameter(parameter, value, typeof value === "string" ? expectedInstantFormat(value) : "an instant");
  return atMs;
}

/** `undefined`: unchanged. */
export function readSpeed(body: unknown): Speed | undefined {
  const { speed } = readBody(["speed"], body);
  if (speed === undefined || isSpeed(speed)) return speed;
  throw invalidParameter("speed", speed, `a number from ${SPEED_MIN} to ${SPEED_MAX}, or "max"`);
}

export function readLabel(body: unknown): string | null {
  const { label } = readBody(["label"], body);
  if (label === undefined || label === null) return null;
  if (typeof label === "string" && label.length <= LABEL_MAX) return label;
  throw invalidParameter("label", label, `a text of at most ${LABEL_MAX} characters`);
}

/** The body of a preview; the VPP API checks its amounts and times. */
export function readTrial(body: unknown): Trial {
  const { sku = null, power_kw, starts_at, ends_at } = readBody(["sku", "power_kw", "starts_at", "ends_at"], body);
  if (sku !== null && !SKUS.some((known) => known === sku))
    throw invalidParameter("sku", sku, `one of ${SKUS.join(", ")}, or null`);
  if (typeof power_kw !== "number") throw invalidParameter("power_kw", power_kw, "a number of kW");
  const startMs = readInstant("starts_at", starts_at);
  const endMs = readInstant("ends_at", ends_at);
  if (endMs <= startMs) throw invalidParameter("ends_at", ends_at, "an instant after starts_at");
  return { sku: sku as Sku | null, powerKw: power_kw, startMs, endMs };
}

/** A text of 1 to `lengthMax` characters. */
export function readText(parameter: string, value: unknown, lengthMax: number): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= lengthMax) return value;
  throw invalidParameter(parameter, value, `a text of 1 to ${lengthMax} characters`);
}

export function readRefreshToken(body: unknown): string {
  const { refresh_token } = readBody(["refresh_token"], body);
  if (typeof refresh_token === "string") return refresh_token;
  throw invalidParameter("refresh_token", refresh_token, "a refresh token of GET /sandbox/credentials");
}

/** A fault as an event of a scenario, without its time. @param sites  names of the scenario's sites */
export function readFault(body: unknown, sites: readonly string[]): FaultSpec {
  const { kind: written } = readBody(["kind", "site", "duration", "limit_pct", "reason"], body);
  const kind = FAULT_KINDS.find((known) => known === written);
  if (kind === undefined) throw invalidParameter("kind", written, `one of ${FAULT_KINDS.join(", ")}`);
  const controls = kind === "output_control";
  const { site, duration, limit_pct, reason } = readBody(faultKeys(kind), body);
  if (typeof site !== "string" || !sites.includes(site))
    throw invalidParameter("site", site, "the name of a site of the scenario");
  const common = { kind, site, durationMs: readFaultDuration(duration) };
  return controls ? { ...common, limitPct: readLimitPct(limit_pct), reason: readReason(reason) } : common;
}

const faultKeys = (kind: FaultKind): string[] =>
  kind === "output_control" ? ["kind", "site", "duration", "limit_pct", "reason"] : ["kind", "site", "duration"];

function readFaultDuration(duration: unknown): number | null {
  if (duration === undefined || duration === null) return null;
  const ms = readDurationMs("duration", duration);
  if (ms > 0) return ms;
  throw invalidParameter("duration", duration, "a duration longer than nothing, or none: until it is ended");
}

function readLimitPct(limit: unknown): number {
  if (typeof limit === "number" && 0 <= limit && limit <= 100) return limit;
  throw invalidParameter("limit_pct", limit, "a number from 0 to 100");
}

function readReason(reason: unknown): OutputControlReason {
  const known = OUTPUT_CONTROL_REASONS.find((each) => each === (reason ?? "other"));
  if (known !== undefined) return known;
  throw invalidParameter("reason", reason, `one of ${OUTPUT_CONTROL_REASONS.join(", ")}`);
}
