import { ApiError, ConnectionError, type RateLimit } from "../../api/client/index.ts";

/** Requests that are under way at the same time. */
const CONCURRENT_MAX = 2;
/** With so few requests left, the next one waits for the reset. */
const RESERVED_REQUESTS = 2;
const WAIT_SECONDS_MIN = 1;
const WAIT_SECONDS_MAX = 3600;
const RETRY_DELAYS_S: readonly number[] = [1, 2, 4, 8, 16];

interface PacerOptions {
  readonly sleep: (seconds: number) => Promise<void>;
  /** Called before each wait. */
  readonly onWait: (seconds: number, why: string) => void;
  /** Called before each attempt; throws if there is to be none. */
  readonly checkStopped: () => void;
}

/** A client whose answers carry a rate limit. */
export interface LimitedClient {
  readonly rateLimit: RateLimit | null;
}

/** Makes requests at the rate that the servers allow, and repeats those that failed on the way (docs/model/twin.md#rate). */
export class RatePacer {
  private readonly options: PacerOptions;
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];
  /** Limits whose reset has been waited for. */
  private readonly waitedFor = new WeakSet<RateLimit>();

  constructor(options: PacerOptions) {
    this.options = options;
  }

  /** @throws what the last attempt threw */
  async request<T>(client: LimitedClient, call: () => Promise<T>): Promise<T> {
    if (this.underWay >= CONCURRENT_MAX) await new Promise<void>((resume) => this.waiting.push(resume));
    else this.underWay++;
    try {
      return await this.attempts(client, call);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.underWay--;
      else next();
    }
  }

  private async attempts<T>(client: LimitedClient, call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; ) {
      await this.waitForReset(client);
      this.options.checkStopped();
      try {
        return await call();
      } catch (error) {
        const retryAfterS = serverDelayS(error);
        const isLost = error instanceof ConnectionError && !(error.cause instanceof ForeignAnswer);
        if (retryAfterS === null && (!isLost || failures >= RETRY_DELAYS_S.length)) throw error;
        await this.wait(retryAfterS ?? RETRY_DELAYS_S[failures++], error instanceof Error ? error.message : "");
      }
    }
  }

  private async waitForReset({ rateLimit }: LimitedClient): Promise<void> {
    if (rateLimit === null || rateLimit.remaining > RESERVED_REQUESTS || this.waitedFor.has(rateLimit)) return;
    this.waitedFor.add(rateLimit);
    await this.wait(clampDelayS(rateLimit.resetAfterSeconds), `${rateLimit.limit} requests an hour are used`);
  }

  private async wait(seconds: number, why: string): Promise<void> {
    this.options.onWait(seconds, why);
    await this.options.sleep(seconds);
  }
}

const clampDelayS = (seconds: number): number =>
  Math.min(WAIT_SECONDS_MAX, Math.max(WAIT_SECONDS_MIN, Number.isFinite(seconds) ? seconds : WAIT_SECONDS_MIN));

/** The delay that a server requests before the next attempt; `null`: none. */
function serverDelayS(error: unknown): number | null {
  if (error instanceof ApiError && (error.status === 429 || error.status === 503))
    return clampDelayS(error.retryAfterSeconds ?? error.error.retry_after ?? WAIT_SECONDS_MIN);
  if (error instanceof ConnectionError && error.cause instanceof BusyServer) return clampDelayS(error.cause.seconds);
  return null;
}

/** A 429 or 503 of something before the server, without the error object of the APIs. */
class BusyServer extends Error {
  readonly seconds: number;

  constructor(status: number, seconds: number) {
    super(`${status}`);
    this.seconds = seconds;
  }
}

/** An answer of another program than the APIs, such as a page. */
export class ForeignAnswer extends Error {}

/** `fetch` that distinguishes answers of the APIs from those of proxies and of other servers. @param signal  ends requests under way */
export const apiFetch =
  (send: typeof fetch, signal?: AbortSignal): typeof fetch =>
  async (input, init) => {
    const signals = [init?.signal, signal].filter((each) => each instanceof AbortSignal);
    const response = await send(input, { ...init, signal: AbortSignal.any(signals) });
    if (response.ok && isJson(response)) return response;
    if (isJson(response) && (await hasErrorObject(response.clone()))) return response;
    if (response.status === 429 || response.status === 503)
      throw new BusyServer(response.status, Number(response.headers.get("retry-after") ?? WAIT_SECONDS_MIN));
    if (response.status >= 500) return response;
    const type = (response.headers.get("content-type") ?? "no content type").split(";")[0];
    const { pathname } = new URL(response.url);
    throw new ForeignAnswer(`${response.status} ${type} at ${pathname}`);
  };

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.includes("json") ?? false;

const hasErrorObject = async (response: Response): Promise<boolean> =>
  "error" in Object(await response.json().catch(() => null));
