import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";

interface Media {
  readonly schema: object;
  /** Of an error: by its type. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Media>> }>>;
}

interface Description {
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const RATE_HEADERS = ["limit", "remaining", "reset", "reset-after"].map((name) => `x-ratelimit-${name}`);
const API_OF: Readonly<Record<string, string>> = { "v1/vpp": "vpp-v1", "v2/ems": "site-v2", "v1/ems": "site-v1" };

/** A check of a body, and the error types that its status can have. */
interface AnswerCheck {
  readonly validate: ValidateFunction;
  readonly errorTypes: readonly string[];
}

/** Statuses of refusals by admission and transport, which the tables do not describe. */
const UNDESCRIBED = [400, 401, 403, 404, 405, 413, 415, 429, 498];

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
const compiledSchemas = new Map<string, ValidateFunction>();

/** Servers of one file describe themselves alike, so that each schema is compiled once. */
function compiled(schema: object, components: object): ValidateFunction {
  const text = JSON.stringify([schema, components]);
  const validate = compiledSchemas.get(text) ?? ajv.compile({ ...schema, components });
  compiledSchemas.set(text, validate);
  return validate;
}

/**
 * A `fetch` that checks every answer of the three APIs against the server's own OpenAPI description: the status is
 * listed, the body satisfies the schema of the status, and the common headers are present.
 */
export class CheckedFetch {
  /** Answers checked against a schema. */
  checked = 0;
  private readonly baseUrl: string;
  private readonly descriptions = new Map<string, Promise<Description>>();
  private readonly checks = new Map<string, AnswerCheck>();

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Fetches the descriptions now, because the server may end before this object. */
  async load(): Promise<void> {
    await Promise.all(Object.values(API_OF).map((api) => this.descriptionOf(api)));
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const requestId = request.headers.get("x-request-id");
    const { method, url } = request;
    const response = await fetch(request);
    await this.check(method, url, response.clone(), requestId);
    return response;
  };

  async check(method: string, url: string, response: Response, requestId: string | null = null): Promise<void> {
    // As sent: a URL object would resolve dots and escape letters.
    const pathname = url.replace(/^https?:\/\/[^/]*/, "").split(/[?#]/)[0];
    const [, prefix] = /^\/(v\d\/\w+)\//.exec(pathname) ?? [];
    const api = pathname === "/auth/refresh" ? "site-v1" : API_OF[prefix ?? ""];
    if (api === undefined) return;
    const label = `${method} ${pathname} ${response.status}`;
    expect([label, response.headers.get("content-type")]).toEqual([label, "application/json; charset=utf-8"]);
    for (const name of RATE_HEADERS)
      expect([label, name, response.headers.get(name)]).toEqual([label, name, expect.stringMatching(/^\d+$/)]);
    expect([label, response.headers.get("x-request-id")]).toEqual([label, requestId]);
    const asksToWait = response.status === 429 || response.status === 503;
    const wait = expect.stringMatching(/^\d+$/);
    expect([label, response.headers.get("retry-after")]).toEqual([label, asksToWait ? wait : null]);
    const found = await this.checkOf(api, method, pathname, response.status);
    if (found === null) return expect([label, UNDESCRIBED.includes(response.status)]).toEqual([label, true]);
    const { validate, errorTypes } = found;
    const body: unknown = await response.json();
    const { code = response.status, error_type: type } = (body as { error?: Record<string, unknown> }).error ?? {};
    expect([label, code]).toEqual([label, response.status]);
    if (type !== undefined && errorTypes.length > 0) expect([label, ...errorTypes]).toContain(type);
    expect([label, validate(body), validate.errors, validate.errors === null ? null : body]).toEqual([
      label,
      true,
      null,
      null,
    ]);
    this.checked++;
  }

  private async checkOf(api: string, method: string, pathname: string, status: number): Promise<AnswerCheck | null> {
    const { paths, components } = await this.descriptionOf(api);
    const shape = (pattern: string) => pattern.replace(/\{\w+\}/, "[^/]*").replaceAll(/\{\w+\}/g, "[^/]+");
    const fits = (pattern: string) => new RegExp(`^${shape(pattern)}$`).test(pathname);
    // A path without variables precedes one with a variable part.
    const path = Object.keys(paths)
      .filter(fits)
      .sort((a, b) => a.split("{").length - b.split("{").length)[0];
    const operation = path === undefined ? undefined : paths[path][method.toLowerCase()];
    if (operation === undefined) return null;
    const media = operation.responses[status]?.content["application/json"];
    expect([`${method} ${path} lists ${status}`, media !== undefined]).toEqual([
      `${method} ${path} lists ${status}`,
      true,
    ]);
    const key = `${api} ${method} ${path} ${status}`;
    const errorTypes = Object.keys(media.examples ?? {});
    const check = this.checks.get(key) ?? { validate: compiled(media.schema, components), errorTypes };
    this.checks.set(key, check);
    return check;
  }

  private descriptionOf(api: string): Promise<Description> {
    let description = this.descriptions.get(api);
    if (description === undefined) {
      description = fetch(`${this.baseUrl}/openapi/${api}.json`).then(
        (answer) => answer.json() as Promise<Description>,
      );
      this.descriptions.set(api, description);
    }
    return description;
  }
}
