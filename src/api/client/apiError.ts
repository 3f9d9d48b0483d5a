/** The error object of the three APIs; the error determines which of the optional keys are present. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly details?: string;
  readonly error_type?: string;
  readonly parameter?: string;
  readonly received_value?: unknown;
  readonly valid_range?: string;
  readonly required_action?: string;
  readonly ems_id?: string;
  readonly schedule_id?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly current_time?: string;
  readonly idempotency_key?: string;
  readonly expires_at?: string;
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset_time?: string;
  /** Seconds of simulated time. */
  readonly retry_after?: number;
}

/** Values of an answer's X-RateLimit headers. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds. */
  readonly reset: number;
  readonly resetAfterSeconds: number;
}

/** Refusal by an API. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly error: ErrorObject;
  readonly rateLimit: RateLimit | null;
  /** From the Retry-After header, in seconds of simulated time; `null` without one. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    error: ErrorObject,
    rateLimit: RateLimit | null,
    request: string,
    retryAfterSeconds: number | null = null,
  ) {
    super(`${request}: ${status} ${error.message}${error.details === undefined ? "" : `: ${error.details}`}`);
    this.status = status;
    this.error = error;
    this.rateLimit = rateLimit;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Name of the error in the documents; site API v1 sends only a few of them. */
  get errorType(): string | undefined {
    return this.error.error_type;
  }
}

/** No answer, or an answer from another program, such as a proxy. */
export class ConnectionError extends Error {
  override name = "ConnectionError";
}
