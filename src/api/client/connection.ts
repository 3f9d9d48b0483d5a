import { ApiError, ConnectionError, type ErrorObject, type RateLimit } from "./apiError.ts";

export interface ClientOptions {
  /** Base address of the API, such as `http://127.0.0.1:8080`; may have a path prefix. */
  readonly baseUrl: string;
  /** Base address of the token endpoint, such as `http://127.0.0.1:8081`. */
  readonly authUrl: string;
  /** Id of the VPP or site: 32 lowercase hex digits. */
  readonly id: string;
  readonly refreshToken: string;
  /** Maximum attempts per request, at least 1; default 4. */
  readonly attempts?: number;
  /** Longest delay accepted from a server; a longer one throws its error at once. Default 60. */
  readonly waitSecondsMax?: number;
  /** Time after which a request counts as unanswered; default 120. */
  readonly timeoutSeconds?: number;
  readonly fetch?: typeof fetch;
  readonly sleep?: (seconds: number) => Promise<void>;
  /** Generates the key of each command; default: random. */
  readonly newKey?: () => string;
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path after the id, such as `/status`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
  readonly body?: unknown;
  /** Whether a repetition has no further effect: reads, and commands with a key. */
  readonly isRepeatable: boolean;
  /** Whether the endpoint accepts an Idempotency-Key. */
  readonly isIdempotent?: boolean;
  /** A key chosen by the caller, for a command that is retried after a restart of the caller. */
  readonly idempotencyKey?: string;
}

/** Delay before the first retry, in seconds; doubled for each further one. */
const FIRST_RETRY_DELAY_S = 0.1;

// not simulated: a client waits in real time
const sleepReal = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, 1000 * seconds));
// not simulated: keys of different clients must differ
const randomKey = (): string => globalThis.crypto.randomUUID();

/**
 * Calls one API of one VPP or site. It obtains and renews the access token, observes the delays that the server
 * requests, and repeats unanswered requests that are repeatable.
 */
export class Connection {
  private readonly options: ClientOptions;
  private readonly prefix: string;
  private token: Promise<string> | null = null;
  private lastRateLimit: RateLimit | null = null;

  /** @param prefix  path prefix of the API, such as `/v1/vpp/` */
  constructor(options: ClientOptions, prefix: string) {
    this.options = options;
    this.prefix = prefix;
  }

  /** Rate limit of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.lastRateLimit;
  }

  /** The access token last used. */
  accessToken(): Promise<string> {
    this.token ??= this.refresh();
    return this.token;
  }

  get<T>(path: string, query?: ApiCall["query"]): Promise<T> {
    return this.call({ method: "GET", path, query, isRepeatable: true });
  }

  /** A POST without effect, such as a history request. */
  postQuery<T>(path: string, body: unknown): Promise<T> {
    return this.call({ method: "POST", path, body, isRepeatable: true });
  }

  /** A POST with an effect and without a key: it is not repeated if no answer arrives. */
  postCommand<T>(path: string, body: unknown): Promise<T> {
    return this.call({ method: "POST", path, body, isRepeatable: false });
  }

  /** A POST with an Idempotency-Key. */
  postIdempotent<T>(path: string, body: unknown, idempotencyKey?: string): Promise<T> {
    return this.call({ method: "POST", path, body, isRepeatable: false, isIdempotent: true, idempotencyKey });
  }

  delete<T>(path: string, query?: ApiCall["query"]): Promise<T> {
    return this.call({ method: "DELETE", path, query, isRepeatable: false });
  }

  /** @throws ApiError, ConnectionError */
  async call<T>(call: ApiCall): Promise<T> {
    const { attempts = 4, sleep = sleepReal, newKey = randomKey } = this.options;
    const key = call.isIdempotent === true ? (call.idempotencyKey ?? newKey()) : undefined;
    const isRepeatable = call.isRepeatable || key !== undefined;
    let renewed = false;
    for (let attempt = 1; ; attempt++) {
      const token = this.accessToken();
      try {
        return await this.attempt<T>(call, await token, key);
      } catch (error) {
        if (isTokenProblem(error) && !renewed) {
          renewed = true;
          attempt--;
          // Of several calls that find the token expired, the first renews it for all.
          if (this.token === token) this.token = null;
          continue;
        }
        const pauseS = attempt < attempts ? this.retryDelayS(error, { attempt, isRepeatable }) : null;
        if (pauseS === null) throw error;
        await sleep(pauseS);
      }
    }
  }

  /** Delay before the next attempt, in seconds; `null` where no further attempt is allowed. */
  private retryDelayS(
    error: unknown,
    { attempt, isRepeatable }: { readonly attempt: number; readonly isRepeatable: boolean },
  ): number | null {
    const backoffS = FIRST_RETRY_DELAY_S * 2 ** (attempt - 1);
    if (error instanceof ConnectionError) return isRepeatable ? backoffS : null;
    if (!(error instanceof ApiError)) return null;
    const serverDelayS = error.error.retry_after ?? error.retryAfterSeconds ?? error.rateLimit?.resetAfterSeconds ?? 1;
    const retryDelayS = serverDelayS <= (this.options.waitSecondsMax ?? 60) ? Math.max(serverDelayS, backoffS) : null;
    if (error.status === 429) return retryDelayS;
    if (error.status === 503)
      return error.error.retry_after === undefined && error.retryAfterSeconds === null ? null : retryDelayS;
    return error.status >= 500 && isRepeatable ? backoffS : null;
  }

  private async attempt<T>({ method, path, query, body }: ApiCall, token: string, key: string | undefined): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers["content-type"] = "application/json; charset=utf-8";
    if (key !== undefined) headers["idempotency-key"] = key;
    const { baseUrl, id } = this.options;
    const url = joinUrl(baseUrl, `${this.prefix}${id}${path}`);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const text = body === undefined ? undefined : JSON.stringify(body);
    return (await this.fetch(url, { method, headers, body: text })) as T;
  }

  private async refresh(): Promise<string> {
    const { authUrl, refreshToken } = this.options;
    const headers = { authorization: `Bearer ${refreshToken}` };
    try {
      const answer = await this.fetch(joinUrl(authUrl, "/auth/refresh"), { method: "POST", headers });
      return String((answer as Readonly<Record<string, unknown>>).access_token);
    } catch (error) {
      this.token = null;
      // A refused refresh token must differ from an expired access token, which is renewed.
      throw error instanceof ApiError ? new RefreshError(error) : error;
    }
  }

  private async fetch(url: URL, init: RequestInit): Promise<unknown> {
    const name = `${init.method} ${url.pathname}`;
    let response: Response;
    let body: unknown;
    try {
      // not simulated: a client's network time-out is in real time
      const signal = AbortSignal.timeout(1000 * (this.options.timeoutSeconds ?? 120));
      response = await (this.options.fetch ?? fetch)(url, { ...init, signal });
      body = await response.json();
    } catch (error) {
      const why = error instanceof Error ? `: ${reasonOf(error)}` : "";
      throw new ConnectionError(`${name}: no answer of ${url.origin}${why}`, { cause: error });
    }
    this.lastRateLimit = rateLimitOf(response.headers);
    if (response.ok) return body;
    const { error } = (body ?? {}) as { readonly error?: ErrorObject };
    if (error === undefined) throw new ConnectionError(`${name}: ${response.status} without an error object`);
    const retryAfter = response.headers.get("retry-after");
    throw new ApiError(
      response.status,
      error,
      this.lastRateLimit,
      name,
      retryAfter === null ? null : Number(retryAfter),
    );
  }
}

/** Joins a base address and a path of the APIs. */
const joinUrl = (base: string, path: string): URL => new URL(base.replace(/\/+$/, "") + path);

/** Node reports `fetch failed`, with the actual error, such as a refused connection, as its cause. */
const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message || message : message);

/** Refusal by the token endpoint: no new access token can be obtained. */
export class RefreshError extends ApiError {
  override name = "RefreshError";

  constructor({ status, error, rateLimit, retryAfterSeconds }: ApiError) {
    super(status, error, rateLimit, "POST /auth/refresh", retryAfterSeconds);
  }
}

const isTokenProblem = (error: unknown): boolean =>
  error instanceof ApiError && !(error instanceof RefreshError) && (error.status === 401 || error.status === 498);

function rateLimitOf(headers: Headers): RateLimit | null {
  const limit = headers.get("x-ratelimit-limit");
  if (limit === null) return null;
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  return {
    limit: Number(limit),
    remaining: number("remaining"),
    reset: number("reset"),
    resetAfterSeconds: number("reset-after"),
  };
}
