// Limits of history requests: VPP API Endpoints 10 and 11, site API 2.2 Limits, site API 1.13 Endpoints 7 and 8, in the
// order of docs/model/apis.md#check-order. The present is 2026-06-30T00:00:00Z in a world that began on 2026-04-01.
import { describe, expect, test } from "vitest";
import type { ApiName } from "../../../src/api/endpoints/route.ts";
import { batterySites, eastVpp, T0, world } from "../../simulation/smallWorld.ts";
import { callApi, contextAt } from "./readContext.ts";

const DAY_MS = 86_400_000;
const DAYS = 400;
const sites = batterySites(100, 100);
const spec = world(sites, { vpps: [eastVpp(sites, [100, 100])], endMs: T0 + (DAYS + 5) * DAY_MS });
const young = contextAt(spec, T0 + 90 * DAY_MS + 500);
const old = contextAt(spec, T0 + DAYS * DAY_MS);

const iso = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
const A = sites[0].emsId;

interface Case {
  readonly why: string;
  readonly call: string;
  readonly body?: Record<string, unknown>;
  /** Days before the present; seconds in a string that ends in s. */
  readonly from?: number;
  readonly to?: number;
  readonly status: number;
  readonly kind?: string;
  readonly parameter?: string;
}

const POWER = "vpp-v1 POST /measurements/active_power";
const ENERGY = "vpp-v1 POST /measurements/energy";
const SITE_POWER = "site-v2 POST /measurements/active_power";
const SITE_ENERGY = "site-v2 POST /measurements/energy";
const V1_POWER = "site-v1 POST /report/power";
const V1_ENERGY = "site-v1 POST /report/energy";
const S = 1 / 86_400;

const CASES: readonly Case[] = [
  { why: "all is well", call: POWER, status: 200 },
  // Shape: 400.
  { why: "no start", call: POWER, body: { start_time: undefined }, status: 400, parameter: "start_time" },
  { why: "no end", call: ENERGY, body: { end_time: undefined }, status: 400, parameter: "end_time" },
  { why: "not in UTC", call: POWER, body: { start_time: "2026-06-29T00:00:00+09:00" }, status: 400 },
  ...[0, 59, 300, 7200, 60.5, "60"].map((interval_seconds) => ({
    why: `an interval of ${interval_seconds} (1.3: only 1, 60, 1800, 3600, 86400)`,
    call: POWER,
    body: { interval_seconds },
    status: 400,
    kind: "invalid_parameter",
    parameter: "interval_seconds",
  })),
  ...[1800, 3600, 86_400].map((interval_seconds) => ({
    why: `energy by ${interval_seconds}`,
    call: ENERGY,
    body: { interval_seconds },
    status: 200,
  })),
  ...[1, 60].map((interval_seconds) => ({
    why: `energy by ${interval_seconds}`,
    call: ENERGY,
    body: { interval_seconds },
    status: 400,
    parameter: "interval_seconds",
  })),
  {
    why: "site v2 takes the VPP's power intervals (65)",
    call: SITE_POWER,
    body: { interval_seconds: 300 },
    status: 400,
  },
  { why: "v1 takes any interval from 1", call: V1_POWER, body: { interval_seconds: 300 }, status: 200 },
  { why: "v1: to 3600", call: V1_POWER, body: { interval_seconds: 3601 }, status: 400 },
  {
    why: "an end before its start (61)",
    call: POWER,
    from: 1,
    to: 2,
    status: 400,
    kind: "invalid_parameter",
    parameter: "end_time",
  },
  { why: "an end at its start (61)", call: SITE_POWER, from: 1, to: 1, status: 400 },
  { why: "59 s of energy (61)", call: ENERGY, from: 59 * S, to: 0, status: 400, parameter: "end_time" },
  { why: "60 s of energy", call: ENERGY, from: 60 * S, to: 0, status: 200 },
  { why: "a site's energy of 1 s", call: SITE_ENERGY, from: 1 * S, to: 0, status: 200 },
  {
    why: "a member that is none (61)",
    call: POWER,
    body: { ems_ids: [A, "f".repeat(32)] },
    status: 400,
    kind: "invalid_parameter",
    parameter: "ems_ids[1]",
  },
  { why: "no members at all (61)", call: ENERGY, body: { ems_ids: [] }, status: 400 },
  {
    why: "unknown members come before a period that is too long (60)",
    call: ENERGY,
    body: { ems_ids: ["f".repeat(32)] },
    from: 40,
    status: 400,
  },
  { why: "a site has no members to choose", call: SITE_POWER, body: { ems_ids: [A] }, status: 400 },
  // Period, then number of records: 410.
  { why: "31 days exactly (61)", call: POWER, from: 31, to: 0, body: { interval_seconds: 60 }, status: 200 },
  {
    why: "31 days and a second",
    call: POWER,
    from: 31 + S,
    to: 0,
    body: { interval_seconds: 3600 },
    status: 410,
    kind: "period_too_long",
    parameter: "end_time - start_time",
  },
  {
    why: "a long period that also starts too early (60)",
    call: POWER,
    from: 80,
    to: 40,
    status: 410,
    kind: "period_too_long",
  },
  { why: "a long period of a site", call: SITE_ENERGY, from: 32, status: 410, kind: "period_too_long" },
  { why: "a long period of v1, which shows no error type", call: V1_ENERGY, from: 32, status: 410 },
  { why: "44,640 points", call: POWER, from: 44_640 * S, to: 0, body: { interval_seconds: 1 }, status: 200 },
  {
    why: "44,641 points",
    call: POWER,
    from: 44_641 * S,
    to: 0,
    body: { interval_seconds: 1 },
    status: 410,
    kind: "data_points_exceeded",
  },
  {
    why: "too many points too early (60)",
    call: POWER,
    from: 62,
    to: 61,
    body: { interval_seconds: 1 },
    status: 410,
    kind: "data_points_exceeded",
  },
  {
    why: "30,000 points of a site",
    call: SITE_POWER,
    from: 30_000 * S,
    to: 0,
    body: { interval_seconds: 1 },
    status: 200,
  },
  {
    why: "30,001 points of a site",
    call: SITE_POWER,
    from: 30_001 * S,
    to: 0,
    body: { interval_seconds: 1 },
    status: 410,
    kind: "data_points_exceeded",
  },
  { why: "30,001 items of v1", call: V1_POWER, from: 30_001 * S, to: 0, body: { interval_seconds: 1 }, status: 410 },
  // Rules that depend on the present time.
  ...[POWER, ENERGY, SITE_POWER, SITE_ENERGY, V1_POWER, V1_ENERGY].flatMap((call): Case[] => [
    { why: "an end after now is answered up to now (61)", call, from: 1, to: -1, status: 200 },
    { why: "a start now with an end after it", call, from: 0, to: -1, status: 200 },
    { why: "a start after now (61)", call, from: -S, to: -1, status: 400, parameter: "start_time" },
    { why: "the requested period counts, not the part up to now (60)", call, from: 1, to: -31, status: 410 },
  ]),
  { why: "now is floored to the second", call: POWER, from: 1, to: 0, status: 200 },
  { why: "60 days ago exactly (61)", call: POWER, from: 60, to: 59, status: 200 },
  { why: "60 days and a second ago", call: POWER, from: 60 + S, to: 59, status: 404, kind: "data_not_available" },
  {
    why: "a site's power of 61 days ago (150)",
    call: SITE_POWER,
    from: 61,
    to: 60,
    status: 404,
    kind: "data_not_available",
  },
  { why: "a site's energy of 61 days ago", call: SITE_ENERGY, from: 61, to: 60, status: 200 },
  { why: "energy of 89 days ago", call: ENERGY, from: 89, to: 88, status: 200 },
  { why: "v1 power of 89 days ago (65)", call: V1_POWER, from: 89, to: 88, status: 200 },
  {
    why: "before the scenario but within retention: missing, not refused (75)",
    call: ENERGY,
    from: 95,
    to: 94,
    status: 200,
  },
  { why: "v1: a period without any data (150)", call: V1_POWER, from: 95, to: 94, status: 404 },
  { why: "v1: the same of energy", call: V1_ENERGY, from: 95, to: 90, status: 404 },
  { why: "v1: a period with some data", call: V1_ENERGY, from: 95, to: 89, status: 200 },
];

function checkCase(host: typeof young, { call, body, from = 1, to = 0, status, kind, parameter }: Case): void {
  const now = Math.floor(host.world.nowMs / 1000) * 1000;
  const period = {
    start_time: iso(now - Math.round(from * 86_400) * 1000),
    end_time: iso(now - Math.round(to * 86_400) * 1000),
  };
  const [api, ...rest] = call.split(" ");
  const given = JSON.parse(JSON.stringify({ ...period, ...body }));
  const answer = callApi<{ error?: { error_type?: string; parameter?: string; code: number } }>(
    host,
    api as ApiName,
    rest.join(" "),
    { body: given },
  );
  expect([answer.status, answer.body.error]).toEqual([status, status === 200 ? undefined : expect.anything()]);
  if (kind !== undefined) expect(answer.body.error?.error_type).toBe(kind);
  if (parameter !== undefined) expect(answer.body.error?.parameter).toBe(parameter);
}

describe("a request for history", () => {
  test.each(CASES)("$call: $why is $status", (one) => checkCase(young, one));

  test.each<Case>([
    { why: "energy of 365 days ago", call: ENERGY, from: 365, to: 364, status: 200 },
    { why: "a second before", call: ENERGY, from: 365 + S, to: 364, status: 404, kind: "data_not_available" },
    { why: "a site's energy", call: SITE_ENERGY, from: 366, to: 364, status: 404, kind: "data_not_available" },
    {
      why: "v1 power of 365 days ago",
      call: V1_POWER,
      from: 365,
      to: 364,
      body: { interval_seconds: 60 },
      status: 200,
    },
    { why: "v1 power a second before", call: V1_POWER, from: 365 + S, to: 364, status: 404 },
  ])("a year later, $call: $why is $status", (one) => checkCase(old, one));
});
