import { isoUtc, MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { ApiName } from "../../../src/endpoints/route.ts";
import { FAULT_KINDS } from "../../../src/session/fault.ts";
import type { CallGenerator, FuzzCall } from "./callGenerator.ts";
import { FUZZ_END_MS } from "./fuzzScenario.ts";
import type { FuzzRequest } from "./fuzzServer.ts";
import {
  corruptBody,
  jsonText,
  malformedPathPart,
  malformedText,
  malformedValue,
  withoutLoneSurrogates,
} from "./malformedInput.ts";
import type { SeededChooser } from "./seededChooser.ts";

const PREFIX: Readonly<Record<ApiName, string>> = { "vpp-v1": "/v1/vpp", "site-v2": "/v2/ems", "site-v1": "/v1/ems" };
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

/** Turns calls into requests: as they should be, with one thing wrong, or hostile. */
export class RequestGenerator {
  readonly #chooser: SeededChooser;
  readonly #callGenerator: CallGenerator;
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #refreshTokenOf: (name: string) => string;
  readonly #checkpoints: string[] = [];
  #key = 0;

  constructor(
    gamble: SeededChooser,
    callers: CallGenerator,
    tokens: ReadonlyMap<string, string>,
    refreshTokenOf: (name: string) => string,
  ) {
    this.#chooser = gamble;
    this.#callGenerator = callers;
    this.#tokens = tokens;
    this.#refreshTokenOf = refreshTokenOf;
  }

  addCheckpoint(id: string): void {
    this.#checkpoints.push(id);
  }

  nextRequest(): FuzzRequest {
    const gamble = this.#chooser;
    const kind = gamble.below(100);
    if (kind < 48) return this.#request(this.#callGenerator.validCall());
    if (kind < 70) return this.#nearlyValid(this.#withId(this.#callGenerator.validCall()));
    if (kind < 86) return this.#malformed(this.#callGenerator.validCall());
    if (kind < 90) return this.#auth();
    return this.#sandbox();
  }

  /** Moves the paused clock on. */
  advanceRequest(): FuzzRequest {
    const { nowMs } = this.#callGenerator.session;
    const bySeconds = this.#chooser.pick([1, 30, 60, 60, 121, 300, 900]);
    const toMs = Math.min(FUZZ_END_MS, nowMs + bySeconds * 1_000 + this.#chooser.pick([0, 0, 0, 0, 1, 500]));
    const wanted = toMs === FUZZ_END_MS || this.#chooser.chance(0.5) ? { to: isoUtc(toMs) } : { by: `PT${bySeconds}S` };
    return this.#post("/sandbox/clock/advance", wanted);
  }

  #withId(call: FuzzCall): FuzzCall & { readonly id: string } {
    return { ...call, id: this.#callGenerator.idOf(call.name) };
  }

  #request(call: FuzzCall): FuzzRequest {
    const parts = this.#withId(call);
    return { ...this.#addressed(parts), headers: this.#headers(parts), ...this.#payload(call.body) };
  }

  #payload(body: unknown): { readonly payload?: string } {
    return body === undefined ? {} : { payload: jsonText(body) };
  }

  #addressed({
    api,
    id,
    method,
    path,
    query = {},
  }: FuzzCall & { readonly id: string }): Pick<FuzzRequest, "to" | "method" | "url"> {
    const search = new URLSearchParams(query).toString();
    return { to: "base", method, url: `${PREFIX[api]}/${id}${path}${search === "" ? "" : `?${search}`}` };
  }

  #headers({ api, name, method, path, body }: FuzzCall): Record<string, string> {
    const gamble = this.#chooser;
    const keyed = api === "vpp-v1" && method === "POST" && path.startsWith("/control") && gamble.chance(0.3);
    // Old keys come back with other bodies.
    const key: Record<string, string> = keyed
      ? { "idempotency-key": `key-${gamble.chance(0.2) ? gamble.below(this.#key + 1) : this.#key++}` }
      : {};
    return {
      authorization: `Bearer ${this.#tokens.get(name)}`,
      ...(body === undefined ? {} : JSON_HEADERS),
      ...(gamble.chance(0.3) ? { "x-request-id": gamble.pick(["r-1", "a b", "x".repeat(200)]) } : {}),
      ...key,
    };
  }

  /** One field wrong. */
  #nearlyValid(call: FuzzCall & { readonly id: string }): FuzzRequest {
    const gamble = this.#chooser;
    if (call.body !== undefined) return this.#request({ ...call, body: corruptBody(call.body, gamble) });
    const names = [...Object.keys(call.query ?? {}), "extra", "schedule_id", "__proto__"];
    const value = malformedValue(gamble);
    const text = typeof value === "string" ? withoutLoneSurrogates(value) : String(JSON.stringify(value));
    return this.#request({ ...call, query: { ...call.query, [gamble.pick(names)]: text } });
  }

  #malformed(call: FuzzCall): FuzzRequest {
    const gamble = this.#chooser;
    const plain = this.#request(call);
    const { url, headers } = plain;
    const id = this.#callGenerator.idOf(call.name);
    switch (gamble.below(13)) {
      case 0:
        return {
          ...plain,
          payload: malformedText(plain.payload ?? "{}", gamble),
          headers: { ...headers, ...JSON_HEADERS },
        };
      case 1:
        return {
          ...plain,
          payload: malformedText(plain.payload ?? "{}", gamble),
          headers: { ...headers, ...JSON_HEADERS },
        };
      case 2: {
        const types = [
          "text/plain",
          "application/xml",
          "application/json;charset=latin1",
          "multipart/form-data; boundary=x",
          "",
          "json",
          "application/jsonx",
        ];
        return {
          ...plain,
          payload: plain.payload ?? "{}",
          headers: { ...headers, "content-type": gamble.pick(types) },
        };
      }
      case 3:
        return { ...plain, method: gamble.pick(["PUT", "PATCH", "HEAD", "OPTIONS", "GET", "POST", "DELETE"]) };
      case 4:
        return { ...plain, url: `${url.split("?")[0]}/${malformedPathPart(gamble)}` };
      case 5:
        return { ...plain, url: url.replace(id, gamble.chance(0.5) ? malformedPathPart(gamble) : this.#unknownId(id)) };
      case 6:
        return { ...plain, url: url.replace(/\/[^/?]*(\?|$)/, `/${malformedPathPart(gamble)}$1`) };
      case 7:
        return {
          ...plain,
          url: `${url}${url.includes("?") ? "&" : "?"}${malformedPathPart(gamble)}=${malformedPathPart(gamble)}&a=1&a=2`,
        };
      case 8: {
        const tokens = [
          "",
          "Bearer",
          "Bearer ",
          "Basic dTpw",
          `Bearer ${this.#tokens.get(this.#callGenerator.anyName())}`,
          `bearer  ${this.#tokens.get(call.name)} `,
          `Bearer ${this.#tokens.get(call.name)}x`,
          "Bearer eyJhbGciOiJub25lIn0.e30.",
          `Bearer ${"a".repeat(5_000)}`,
          `Bearer ${this.#refreshTokenOf(call.name)}`,
        ];
        return { ...plain, headers: { ...headers, authorization: gamble.pick(tokens) } };
      }
      case 9: {
        const { authorization: _, ...without } = headers;
        return { ...plain, headers: without };
      }
      case 10:
        return {
          ...plain,
          headers: {
            ...headers,
            "idempotency-key": gamble.pick(["", " ", "x".repeat(129), "a b", "é", "key-1", "__proto__"]),
          },
        };
      case 11:
        return gamble.chance(0.1)
          ? { ...plain, payload: `{"pad":"${"x".repeat(1_048_577)}"}`, headers: { ...headers, ...JSON_HEADERS } }
          : { ...plain, url: url.toUpperCase() };
      default:
        return { ...plain, headers: { ...headers, "content-length": gamble.pick(["0", "1", "-1", "x", "99999999"]) } };
    }
  }

  /** Texts that mean an id to some, or look like one. */
  #unknownId(id: string): string {
    const first = id.charCodeAt(0).toString(16);
    const strange = [
      `%${first}${id.slice(1)}`,
      id.toUpperCase(),
      `${id}%20`,
      `${id}%00`,
      `%2e%2e/${id}`,
      `./${id}`,
      `/${id}`,
      `${id};x=1`,
      encodeURIComponent(`\uff10${id.slice(1)}`),
      this.#callGenerator.idOf(this.#callGenerator.anyName()),
      "x".repeat(300),
    ];
    return this.#chooser.pick(strange);
  }

  #auth(): FuzzRequest {
    const gamble = this.#chooser;
    const token = this.#refreshTokenOf(this.#callGenerator.anyName());
    const good = `Bearer ${token}`;
    const authorization = gamble.chance(0.5)
      ? good
      : gamble.pick([
          "",
          "Bearer x",
          `Bearer ${token.slice(1)}`,
          `Basic ${token}`,
          `${good}, ${good}`,
          `Bearer ${this.#tokens.get(this.#callGenerator.anyName())}`,
        ]);
    const body = gamble.chance(0.3) ? { payload: malformedText('{"a":1}', gamble) } : {};
    const type: Record<string, string> = gamble.chance(0.3)
      ? { "content-type": gamble.pick(["application/json", "text/plain", "x/y"]) }
      : {};
    const shot: FuzzRequest = {
      to: "auth",
      method: "POST",
      url: "/auth/refresh",
      headers: { authorization, ...type },
      ...body,
    };
    return gamble.chance(0.9)
      ? shot
      : {
          ...shot,
          method: gamble.pick(["GET", "PUT", "DELETE"]),
          url: gamble.pick(["/auth/refresh", "/auth/refresh/", "/auth", "/v1/vpp/x/status"]),
        };
  }

  #post(url: string, body: unknown): FuzzRequest {
    return {
      to: "base",
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      payload: jsonText(body),
    };
  }

  #sandbox(): FuzzRequest {
    const gamble = this.#chooser;
    const good = this.#goodSandbox();
    if (gamble.chance(0.5)) return good;
    if (gamble.chance(0.3))
      return {
        ...good,
        headers: {
          ...good.headers,
          origin: gamble.pick(["http://evil.example", "null", "https://127.0.0.1.evil.example", ""]),
        },
      };
    if (gamble.chance(0.3))
      return {
        ...good,
        headers: {
          ...good.headers,
          host: gamble.pick(["evil.example", "127.0.0.1.evil.example", "[::1]", "localhost:1"]),
        },
      };
    if (gamble.chance(0.3))
      return {
        ...good,
        headers: {
          ...good.headers,
          "content-type": gamble.pick(["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]),
        },
      };
    if (good.payload === undefined) return { ...good, url: `${good.url}/${malformedPathPart(gamble)}` };
    return {
      ...good,
      payload: gamble.chance(0.4)
        ? malformedText(good.payload, gamble)
        : jsonText(corruptBody(JSON.parse(good.payload), gamble)),
    };
  }

  #goodSandbox(): FuzzRequest {
    const gamble = this.#chooser;
    const get = (url: string): FuzzRequest => ({ to: "base", method: "GET", url, headers: {} });
    const kind = gamble.pick(FAULT_KINDS);
    const site = this.#callGenerator.anySite();
    const lasting = gamble.chance(0.8) ? { duration: gamble.pick(["PT30S", "PT7M", "PT1H", "PT0.001S"]) } : {};
    const limits = kind === "output_control" ? { limit_pct: gamble.pick([0, 30, 100]), reason: "manual" } : {};
    const { faults } = this.#callGenerator.session;
    switch (gamble.below(12)) {
      case 0:
      case 1:
        return this.#post("/sandbox/faults", { kind, site, ...lasting, ...limits });
      case 2:
      case 3:
        return {
          to: "base",
          method: "DELETE",
          url: `/sandbox/faults/${faults.length === 0 ? "fault-9" : gamble.pick(faults).fault_id}`,
          headers: {},
        };
      case 4:
        return this.#post("/sandbox/checkpoints", { label: "here" });
      case 5:
        return gamble.chance(0.3) && this.#checkpoints.length > 0
          ? this.#post(`/sandbox/checkpoints/${gamble.pick(this.#checkpoints.slice(-3))}/restore`, {})
          : get("/sandbox/checkpoints");
      case 6:
        return get("/sandbox/state-hash");
      case 7:
        return this.#post("/sandbox/export", {});
      case 8:
        return get("/sandbox/faults");
      case 9:
        return this.#post("/sandbox/clock/pause", {});
      case 10:
        return this.#post("/sandbox/clock/advance", { by: `PT${gamble.below(2) * (MS_PER_MINUTE / 1_000)}S` });
      default:
        return get("/sandbox/clock");
    }
  }
}
