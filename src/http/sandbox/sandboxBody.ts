import { type EpochMs, isoUtc, MS_PER_DAY } from "../../base/time.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import { shown } from "../../scenario/parse/inputError.ts";
import { parseDuration } from "../../scenario/parse/iso.ts";
import { parseInstantText, whyNotAnInstant } from "../../series/csv/parseInstant.ts";
import { FAULT_KINDS, type FaultKind, type FaultSpec } from "../../session/fault.ts";
import { isSpeed, SPEED_MAX, SPEED_MIN, type Speed } from "../../session/pace.ts";
import { SessionRefusal } from "../../session/refusal.ts";
import type { OutputControlReason } from "../../simulation/worldSpec.ts";

type Body = Readonly<Record<string, unknown>>;

const REASONS: readonly OutputControlReason[] = ["fit_curtailment", "non_firm_congestion", "manual", "other"];
const LABEL_MAX = 200;
/** A hundred years: what comes of a longer one may lie beyond all dates. */
const SPAN_MAX_DAYS = 36_525;
const SPAN_MAX_MS = SPAN_MAX_DAYS * MS_PER_DAY;

const wrong = (parameter: string, found: unknown, allowed: string): SessionRefusal =>
  new SessionRefusal(400, `Found ${shown(found)}, allowed ${allowed}`, parameter);

/** A body as a mapping with none but these keys; no body is an empty one. */
export function bodyWith(keys: readonly string[], body: unknown): Body {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body))
    throw new SessionRefusal(400, `Found ${shown(body)}, allowed a JSON object`);
  const stranger = Object.keys(body).find((key) => !keys.includes(key));
  if (stranger !== undefined)
    throw new SessionRefusal(400, `Found the key ${shown(stranger)}, allowed ${keys.join(", ") || "none"}`, stranger);
  return body as Body;
}

/** What an advance is to reach, told where the clock stands: `{by}` or `{to}` (decisions.md 96). */
export function advanceTarget(body: unknown, endMs: EpochMs): (nowMs: EpochMs) => EpochMs {
  const { by, to } = bodyWith(["by", "to"], body);
  if ((by === undefined) === (to === undefined))
    throw new SessionRefusal(400, `Found ${by === undefined ? "neither" : "both"} by and to, allowed one of them`);
  const wanted = to === undefined ? spanOf("by", by) : instantOf("to", to);
  return (nowMs) => {
    const targetMs = to === undefined ? nowMs + wanted : wanted;
    const limit = `an instant from now, ${isoUtc(floorToSecond(nowMs))}, to the scenario's end, ${isoUtc(endMs)}`;
    if (targetMs < floorToSecond(nowMs) || endMs < targetMs)
      throw new SessionRefusal(400, `Found ${isoUtc(targetMs)}, allowed ${limit}`, to === undefined ? "by" : "to");
    return Math.max(targetMs, nowMs);
  };
}

function spanOf(parameter: string, value: unknown): number {
  const ms = typeof value === "string" ? parseDuration(value) : null;
  if (ms === null || /[YW]/.test(String(value)))
    throw wrong(parameter, value, "an ISO 8601 duration of days, hours, minutes and seconds, such as PT90S or P1DT12H");
  if (SPAN_MAX_MS < ms) throw wrong(parameter, value, `a duration of at most P${SPAN_MAX_DAYS}D`);
  return ms;
}

function instantOf(parameter: string, value: unknown): EpochMs {
  const atMs = typeof value === "string" ? parseInstantText(value) : Number.NaN;
  if (Number.isNaN(atMs))
    throw wrong(parameter, value, typeof value === "string" ? whyNotAnInstant(value) : "an instant");
  return atMs;
}

/** `undefined`: as it was. */
export function speedOf(body: unknown): Speed | undefined {
  const { speed } = bodyWith(["speed"], body);
  if (speed === undefined || isSpeed(speed)) return speed;
  throw wrong("speed", speed, `a number from ${SPEED_MIN} to ${SPEED_MAX}, or "max"`);
}

export function labelOf(body: unknown): string | null {
  const { label } = bodyWith(["label"], body);
  if (label === undefined || label === null) return null;
  if (typeof label === "string" && label.length <= LABEL_MAX) return label;
  throw wrong("label", label, `a text of at most ${LABEL_MAX} characters`);
}

export function refreshTokenIn(body: unknown): string {
  const { refresh_token } = bodyWith(["refresh_token"], body);
  if (typeof refresh_token === "string") return refresh_token;
  throw wrong("refresh_token", refresh_token, "a refresh token of GET /sandbox/credentials");
}

/** A fault as an event of a scenario, without its time. @param sites  names of the sites that there are */
export function faultIn(body: unknown, sites: readonly string[]): FaultSpec {
  const { kind: written } = bodyWith(["kind", "site", "duration", "limit_pct", "reason"], body);
  const kind = FAULT_KINDS.find((known) => known === written);
  if (kind === undefined) throw wrong("kind", written, `one of ${FAULT_KINDS.join(", ")}`);
  const controls = kind === "output_control";
  const { site, duration, limit_pct, reason } = bodyWith(keysOf(kind), body);
  if (typeof site !== "string" || !sites.includes(site))
    throw wrong("site", site, "the name of a site of the scenario");
  const common = { kind, site, durationMs: durationIn(duration) };
  return controls ? { ...common, limitPct: limitIn(limit_pct), reason: reasonIn(reason) } : common;
}

const keysOf = (kind: FaultKind): string[] =>
  kind === "output_control" ? ["kind", "site", "duration", "limit_pct", "reason"] : ["kind", "site", "duration"];

function durationIn(duration: unknown): number | null {
  if (duration === undefined || duration === null) return null;
  const ms = spanOf("duration", duration);
  if (ms > 0) return ms;
  throw wrong("duration", duration, "a duration longer than nothing, or none: until it is ended");
}

function limitIn(limit: unknown): number {
  if (typeof limit === "number" && 0 <= limit && limit <= 100) return limit;
  throw wrong("limit_pct", limit, "a number from 0 to 100");
}

function reasonIn(reason: unknown): OutputControlReason {
  const known = REASONS.find((each) => each === (reason ?? "other"));
  if (known !== undefined) return known;
  throw wrong("reason", reason, `one of ${REASONS.join(", ")}`);
}
