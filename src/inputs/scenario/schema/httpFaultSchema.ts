import {
  enumOf,
  fraction,
  integer,
  optional,
  type Static,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";

/** Requests that an HTTP fault may hit (docs/model/sandbox.md#http-faults). */
export const httpFaultMatch = strictObject(
  {
    api: optional(enumOf(["vpp-v1", "site-v2", "site-v1", "auth"], { type: "string" })),
    method: optional(enumOf(["GET", "POST", "DELETE"], { type: "string" })),
    route: optional(
      string({ description: "Path as in the description, such as /v1/vpp/{vpp_id}/status, or that of telemetry" }),
    ),
    share: optional(
      fraction({ minimum: undefined, exclusiveMinimum: 0, description: "Share of the matching requests that are hit" }),
    ),
    next: optional(integer(1, 10_000, { description: "Number of hits; absent: no limit. Not with share" })),
  },
  { description: "Requests that match all keys; {}: all but telemetry" },
);
export type HttpFaultMatch = Static<typeof httpFaultMatch>;

const retryAfterS = integer(1, 3_600, { description: "Seconds of simulated time; default 20 for 429, 60 for 503" });

/** What becomes of a request that is hit. */
export const httpFaultAnswer = Type.Union(
  [
    strictObject({ latency_ms: integer(1, 60_000, { description: "Real milliseconds before the request runs" }) }),
    strictObject({
      cut: enumOf(["before", "after"], {
        type: "string",
        description: "The connection ends without an answer: before the request runs, or after it",
      }),
    }),
    strictObject({
      token: enumOf(["expired"], { type: "string", description: "The access token of the request is expired" }),
    }),
    Type.Union([
      strictObject({
        status: Type.Unsafe<429 | 503>({ type: "integer", enum: [429, 503] }),
        retry_after_s: optional(retryAfterS),
      }),
      strictObject({ status: Type.Unsafe<500>({ type: "integer", enum: [500] }) }),
    ]),
  ],
  { title: "status 429, 503 or 500, latency_ms, cut or token" },
);
export type HttpFaultAnswer = Static<typeof httpFaultAnswer>;
