import type { TSchema } from "typebox";
import type { RunHistory } from "../accounting/history/runHistory.ts";
import type { World } from "../simulation/world.ts";

/** The three documents: VPP API 1.4, site API 2.2, site API 1.13. */
export type ApiName = "vpp-v1" | "site-v2" | "site-v1";

export type Method = "GET" | "POST" | "DELETE";

/** One call of one of the three APIs, without HTTP: token, rate limit and idempotency have been seen to. */
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

/** What is sent back: the envelope of the API is already around a refusal. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The refusal's kind, also where the API shows no `error_type`; not sent. */
  readonly kind?: string;
  /** Whole seconds of simulated time after which trying again may help; goes with 429 and 503. */
  readonly retryAfterS?: number;
  /** The body as JSON text in pieces, where it is long; `body` is not sent then. */
  readonly stream?: Iterable<string>;
}

/** Which hourly budget a call counts against (site v1 and v2 have one bucket each). */
export type RateBucket = "reference" | "control" | "site";

/** What answers read and change. */
export interface RequestContext {
  readonly world: World;
  /** An observer of this world from its start on; reads need it, commands do not. */
  readonly history?: RunHistory;
}

/**
 * One row of a document's endpoint table. The HTTP server registers it, the OpenAPI description lists it, and a backtest
 * answers `request` events with it: one source for all three.
 */
export interface Route<Context extends RequestContext = RequestContext> {
  readonly api: ApiName;
  readonly method: Method;
  /** As `ApiRequest.path`, with `{name}` for a variable part. */
  readonly path: string;
  /** Unique in its API, camelCase. */
  readonly operationId: string;
  readonly summary: string;
  readonly rateBucket: RateBucket;
  /** Whether it may change the world: such calls are journalled and exported, reads are not. */
  readonly isCommand: boolean;
  /** Whether it takes an Idempotency-Key. */
  readonly isIdempotent: boolean;
  readonly querySchema: TSchema | null;
  readonly bodySchema: TSchema | null;
  /** Set where the body is checked by `answer` itself, because its rules have an order of their own (docs/model/apis.md#control-order). */
  readonly checksBody?: true;
  /** Schema of each answer by status; the refusals that every endpoint shares are added by the server. */
  readonly answerSchemas: Readonly<Record<number, TSchema>>;
  /** @param variables  the values of the `{name}` parts of the path */
  handle(context: Context, request: ApiRequest, variables: Readonly<Record<string, string>>): Answer;
}
