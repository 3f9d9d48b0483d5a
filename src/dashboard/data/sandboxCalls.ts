import type { SandboxErrorBody } from "../../api/client/sandboxTypes.ts";

/** A refusal by `/sandbox`. */
export class SandboxError extends Error {
  override name = "SandboxError";
  readonly status: number;
  /** The key of the body or query that was refused. */
  readonly parameter: string | null;

  constructor(status: number, details: string, parameter: string | null) {
    super(details);
    this.status = status;
    this.parameter = parameter;
  }
}

/** The server did not answer. */
class NoAnswerError extends Error {
  override name = "NoAnswerError";
}

/** One request as it was sent, to show it as curl. */
export interface SentRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Milliseconds after which a read counts as unanswered. An advance of the clock, a report or a debriefing may take longer. */
const READ_TIMEOUT_MS = 15_000;

/** Calls `/sandbox` with the token of a role. */
export class SandboxCalls {
  readonly baseUrl: string;
  private readonly token: string | null;
  private readonly fetch: typeof fetch;

  constructor(baseUrl: string, token: string | null, fetchBy: typeof fetch = (...request) => fetch(...request)) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.fetch = fetchBy;
  }

  /** @param path  from `/sandbox` on @throws SandboxError, NoAnswerError */
  async get<T>(path: string): Promise<T> {
    return JSON.parse(await this.call(this.request("GET", path), AbortSignal.timeout(READ_TIMEOUT_MS))) as T;
  }

  /** A document, which the server may compute for minutes first. @throws SandboxError, NoAnswerError */
  async text(path: string): Promise<string> {
    return this.call(this.request("GET", path));
  }

  /** @throws SandboxError, NoAnswerError */
  async post<T>(path: string, body: unknown = {}): Promise<T> {
    const text = await this.postForText(path, body);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  async postForText(path: string, body: unknown = {}): Promise<string> {
    return this.call(this.request("POST", path, body));
  }

  /** @throws SandboxError, NoAnswerError */
  async put(path: string, body: unknown): Promise<void> {
    await this.call(this.request("PUT", path, body));
  }

  /** @throws SandboxError, NoAnswerError */
  async delete(path: string): Promise<void> {
    await this.call(this.request("DELETE", path));
  }

  /** The request of a call, without sending it. */
  request(method: SentRequest["method"], path: string, body?: unknown): SentRequest {
    const headers: Record<string, string> = {};
    if (this.token !== null) headers["x-sandbox-token"] = this.token;
    if (body !== undefined) headers["content-type"] = "application/json";
    return { method, url: `${this.baseUrl}${path}`, headers, body };
  }

  private async call({ method, url, headers, body }: SentRequest, signal?: AbortSignal): Promise<string> {
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(url, { method, headers, body: JSON.stringify(body), signal });
      text = await response.text();
    } catch (error) {
      throw new NoAnswerError(error instanceof Error ? error.message : String(error), { cause: error });
    }
    if (response.ok) return text;
    throw refusalOf(response.status, text);
  }
}

/** The envelope of the sandbox, or the beginning of what a proxy answered. */
function refusalOf(status: number, text: string): SandboxError {
  try {
    const { details, message, parameter } = (JSON.parse(text) as SandboxErrorBody).error;
    return new SandboxError(status, details ?? message, parameter ?? null);
  } catch {
    return new SandboxError(status, `${status}: ${text.slice(0, 200)}`, null);
  }
}
