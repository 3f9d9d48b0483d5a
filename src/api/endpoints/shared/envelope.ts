import type { Refusal } from "../../../base/result.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Answer, ApiName } from "../route.ts";
import { type ErrorType, errorEntryOf, showsErrorType } from "./errorCatalogue.ts";
import { wireTime } from "./wireTime.ts";

/** A refusal of the world or of the transport; `extra` is copied into the error object. */
export interface ApiRefusal extends Omit<Refusal, "kind"> {
  readonly kind: ErrorType;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Selects the envelope: the VPP API has `vpp_id`, the site APIs have `ems_id`. */
export interface RequestSubject {
  readonly api: ApiName;
  /** `null`: unknown, and left out. */
  readonly id: string | null;
}

export const idKey = (api: ApiName): "vpp_id" | "ems_id" => (api === "vpp-v1" ? "vpp_id" : "ems_id");

/** A refusal in the envelope of its API. */
export function refusalAnswer({ api, id }: RequestSubject, refusal: ApiRefusal, nowMs: EpochMs): Answer {
  const { code } = errorEntryOf(api, refusal.kind);
  const body = {
    ...optionalKey(idKey(api), id ?? undefined),
    error: errorObject(api, refusal),
    timestamp: wireTime(nowMs),
  };
  return {
    status: code,
    body,
    kind: refusal.kind,
    ...optionalKey("isMalformed", refusal.isMalformed),
    ...optionalKey("retryAfterS", refusal.retryAfterS),
  };
}

function errorObject(api: ApiName, refusal: ApiRefusal): Record<string, unknown> {
  const { code } = errorEntryOf(api, refusal.kind);
  return {
    code,
    message: messageOf(api, refusal),
    details: refusal.details,
    ...(showsErrorType(api, refusal.kind) ? { error_type: refusal.kind } : {}),
    ...optionalKey("parameter", refusal.parameter),
    ...optionalKey("received_value", shortened(refusal.receivedValue)),
    ...optionalKey("valid_range", refusal.validRange),
    ...optionalKey("required_action", api === "site-v1" ? undefined : refusal.requiredAction),
    ...optionalKey("ems_id", refusal.emsId),
    ...optionalKey("schedule_id", refusal.scheduleId),
    ...optionalKey("start_time", refusal.startMs === undefined ? undefined : wireTime(refusal.startMs)),
    ...optionalKey("end_time", refusal.endMs === undefined ? undefined : wireTime(refusal.endMs)),
    ...optionalKey("current_time", refusal.currentMs === undefined ? undefined : wireTime(refusal.currentMs)),
    ...optionalKey("retry_after", showsRetryAfter(api, refusal.kind) ? refusal.retryAfterS : undefined),
    ...refusal.extra,
  };
}

/**
 * Site v1 shows it in the body for its rate limit alone; the header Retry-After accompanies every refusal that has a
 * delay.
 */
const showsRetryAfter = (api: ApiName, kind: ErrorType): boolean => api !== "site-v1" || kind === "rate_limit_exceeded";

/** Maximum number of characters of a received text in a refusal (docs/model/apis.md#body-limits). */
const RECEIVED_CHARS_MAX = 1_000;

const shortened = (value: unknown): unknown =>
  typeof value === "string" && value.length > RECEIVED_CHARS_MAX ? `${value.slice(0, RECEIVED_CHARS_MAX)}…` : value;

const optionalKey = (key: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [key]: value };

/** Site v1 puts parameter and range into the message. */
function messageOf(api: ApiName, { kind, parameter, validRange }: ApiRefusal): string {
  const { message } = errorEntryOf(api, kind);
  if (api !== "site-v1" || kind !== "invalid_parameter" || parameter === undefined) return message;
  const range = validRange === undefined ? null : /^(\S+) to (\S+)$/.exec(validRange);
  return range === null
    ? `${message}: ${parameter}`
    : `${message}: ${parameter} must be between ${range[1]} and ${range[2]}`;
}
