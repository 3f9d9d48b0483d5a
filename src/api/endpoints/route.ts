import type { TSchema } from "typebox";
import type { RunHistory } from "../../accounting/history/runHistory.ts";
import type { World } from "../../engine/simulation/world.ts";

/** The three documents: VPP API 1.4, site API 2.2, site API 1.13. */
export type ApiName = "vpp-v1" | "site-v2" | "site-v1";

export type Method = "GET" | "POST" | "DELETE";

/** One call of one of the three APIs, without HTTP: token, rate limit and idempotency have been checked. */
export interface ApiRequest {
  readonly api: ApiName;
  /** 32 lowercase hex digits of the VPP or of the site. */
  readonly id: string;
  readonly method: string;
  /** Relative to the id's own prefix, without the query, such as `/control/active_power`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, or `undefined` without a body. */
  readonly body: unknown;
}

/** Answer to a call; a refusal is already wrapped in the envelope of its API. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The refusal's kind, also where the API has no `error_type`; not sent. */
  readonly kind?: string;
  /** The request had the wrong form: it cannot have had an effect. */
  readonly isMalformed?: true;
  /** Whole seconds of simulated time after which a retry may succeed; with 429 and 503. */
  readonly retryAfterS?: number;
  /** A long body as JSON text in pieces; `body` is then not sent. */
  readonly stream?: Iterable<string>;
}

/** The hourly rate limit that a call counts against (site v1 and v2 have one bucket each). */
export type RateBucket = "reference" | "control" | "site";

/** State that answers read and change. */
export interface RequestContext {
  readonly world: World;
  /** Observes this world from its start; reads require it, commands do not. */
  readonly history?: RunHistory;
}

/**
 * One row of a document's endpoint table. The HTTP server, the OpenAPI description and the `request` events of a
 * scenario all use it.
 */
export interface Route<Context extends RequestContext = RequestContext> {
  readonly api: ApiName;
  readonly method: Method;
  /** Like `ApiRequest.path`, with `{name}` for a variable part. */
  readonly path: string;
  /** Unique in its API, camelCase. */
  readonly operationId: string;
  readonly summary: string;
  readonly rateBucket: RateBucket;
  /** Whether it may change the world; such calls are journalled and exported. */
  readonly isCommand: boolean;
  /** Whether it accepts an Idempotency-Key. */
  readonly isIdempotent?: true;
  readonly querySchema?: TSchema;
  /** Query parameters that have no effect here: in the description, but of any value. */
  readonly ignoredQuerySchema?: TSchema;
  readonly bodySchema?: TSchema;
  /**
   * Set where `handle` checks the body itself, because the order of its rules is specified
   * (docs/model/apis.md#control-order).
   */
  readonly checksBody?: true;
  /** Of the answer 200; the server adds the refusals. */
  readonly answerSchema: TSchema;
  /** @param variables  values of the `{name}` parts of the path */
  handle(context: Context, request: ApiRequest, variables: Readonly<Record<string, string>>): Answer;
}
