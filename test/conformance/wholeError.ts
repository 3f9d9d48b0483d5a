// What the three documents say of every error answer, whatever its cause.
import { expect } from "vitest";
import type { ApiName } from "../../src/api/endpoints/route.ts";
import type { ApiAnswer } from "./scenarioServer.ts";

/** Keys of an error object, as the documents list them. */
const KEYS: Readonly<Record<ApiName, readonly string[]>> = {
  "vpp-v1":
    "code message details error_type parameter received_value valid_range required_action ems_id schedule_id idempotency_key expires_at limit remaining reset_time retry_after".split(
      " ",
    ),
  "site-v2":
    "code message details error_type parameter received_value valid_range required_action schedule_id start_time end_time current_time idempotency_key expires_at limit remaining reset_time retry_after".split(
      " ",
    ),
  "site-v1":
    "code message details parameter received_value valid_range error_type expires_at schedule_id start_time current_time limit remaining reset_time retry_after".split(
      " ",
    ),
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Status, headers, envelope and fields of an error answer. */
export function expectWholeError(api: ApiName, id: string, { status, headers, body, error }: ApiAnswer): void {
  const where = `${api} ${JSON.stringify(body)}`;
  const header = (name: string) => headers.get(name);
  expect(error.code, where).toBe(status);
  expect(header("content-type"), where).toBe("application/json; charset=utf-8");
  const names = ["limit", "remaining", "reset", "reset-after"].map((name) => `x-ratelimit-${name}`);
  for (const name of names) expect(header(name), `${name} of ${where}`).toMatch(/^\d+$/);
  const idKey = api === "vpp-v1" ? "vpp_id" : "ems_id";
  expect(Object.keys(body), where).toEqual([idKey, "error", "timestamp"]);
  expect([body[idKey], body.timestamp], where).toEqual([id, expect.stringMatching(INSTANT)]);
  expect(
    Object.keys(error).filter((key) => !KEYS[api].includes(key)),
    where,
  ).toEqual([]);
  expect([error.message, error.details], where).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  expect(error.details, where).not.toBe(error.message);
  expectSaysWhatIsRight(api, error, where);
  const { retry_after } = error;
  if (status === 429) {
    const fields = [error.remaining, String(error.limit), String(retry_after), error.reset_time];
    const expected = [
      0,
      header("x-ratelimit-limit"),
      header("x-ratelimit-reset-after"),
      expect.stringMatching(INSTANT),
    ];
    expect(fields, where).toEqual(expected);
    expect(Date.parse(String(error.reset_time)) / 1000, where).toBe(Number(header("x-ratelimit-reset")));
  }
  expect(header("retry-after") !== null, where).toBe(status === 429 || status === 503);
  if (retry_after !== undefined) expect(String(retry_after), where).toBe(header("retry-after"));
  if (status === 498) expect(error.expires_at, where).toMatch(INSTANT);
}

/** A caller who reads the error knows what to change: the range, the action, or a sentence that names both. */
function expectSaysWhatIsRight(api: ApiName, error: ApiAnswer["error"], where: string): void {
  const { valid_range, required_action, parameter, error_type, details } = error;
  const isShape = api === "site-v1" ? error.code === 400 : error_type === "invalid_parameter";
  if (isShape) expect(parameter, where).toEqual(expect.any(String));
  const hasHint = valid_range !== undefined || required_action !== undefined;
  if (!hasHint) expect(String(details).split(" ").length, where).toBeGreaterThanOrEqual(4);
}
