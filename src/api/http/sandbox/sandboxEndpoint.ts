import type { JsonObject } from "../openapi/jsonObject.ts";

/** Values of the running session for the examples. */
export interface SandboxExamples {
  readonly site: string;
  /** An instant to which the clock can be advanced. */
  readonly target: string;
  readonly refreshToken: string;
  /** Name of a VPP. */
  readonly vpp: string;
  /** Times of a schedule that can be sent. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly awardId: string | null;
  readonly faultId: string | null;
  readonly checkpointId: string | null;
  readonly injectId: string | null;
}

/** A parameter of a query. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** One endpoint of the sandbox, for its description. */
export interface Endpoint {
  readonly summary: string;
  readonly tag: "Session" | "Clock" | "Credentials" | "Faults" | "Checkpoints" | "Results" | "Training" | "Drills";
  /** Schema of the body; absent: `{}` or none. */
  readonly body?: JsonObject;
  readonly examples?: JsonObject;
  readonly answer: JsonObject;
  /** Status of the answer; 204 has no body. */
  readonly status?: 204;
  readonly errors?: readonly number[];
  /** Example of the parameter in the path; `null` or absent: none. */
  readonly id?: string | null;
  readonly query?: readonly QueryParameter[];
}
