import { isoUtc, MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { ApiName } from "../../../src/endpoints/route.ts";
import { FAULT_KINDS } from "../../../src/session/fault.ts";
import type { Call, Callers } from "./callers.ts";
import type { Shot } from "./fuzzServer.ts";
import { FUZZ_END_MS } from "./fuzzWorld.ts";
import type { Gamble } from "./gamble.ts";
import { hostilePart, hostileText, hostileValue, jsonText, spoilt, wellFormed } from "./hostile.ts";

const PREFIX: Readonly<Record<ApiName, string>> = { "vpp-v1": "/v1/vpp", "site-v2": "/v2/ems", "site-v1": "/v1/ems" };
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

/** Turns calls into requests: as they should be, with one thing wrong, or hostile. */
export class Shots {
  readonly #gamble: Gamble;
  readonly #callers: Callers;
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #refreshTokenOf: (name: string) => string;
  readonly #checkpoints: string[] = [];
  #key = 0;

  constructor(
    gamble: Gamble,
    callers: Callers,
    tokens: ReadonlyMap<string, string>,
    refreshTokenOf: (name: string) => string,
  ) {
    this.#gamble = gamble;
    this.#callers = callers;
    this.#tokens = tokens;
    this.#refreshTokenOf = refreshTokenOf;
  }

  sawCheckpoint(id: string): void {
    this.#checkpoints.push(id);
  }

  next(): Shot {
    const gamble = this.#gamble;
    const kind = gamble.below(100);
    if (kind < 48) return this.#shot(this.#callers.good());
    if (kind < 70) return this.#nearly(this.#shotParts(this.#callers.good()));
    if (kind < 86) return this.#hostile(this.#callers.good());
    if (kind < 90) return this.#auth();
    return this.#sandbox();
  }

  /** Moves the paused clock on. */
  advance(): Shot {
    const { nowMs } = this.#callers.session;
    const bySeconds = this.#gamble.pick([1, 30, 60, 60, 121, 300, 900]);
    const toMs = Math.min(FUZZ_END_MS, nowMs + bySeconds * 1_000 + this.#gamble.pick([0, 0, 0, 0, 1, 500]));
    const wanted = toMs === FUZZ_END_MS || this.#gamble.chance(0.5) ? { to: isoUtc(toMs) } : { by: `PT${bySeconds}S` };
    return this.#post("/sandbox/clock/advance", wanted);
  }

  #shotParts(call: Call): Call & { readonly id: string } {
    return { ...call, id: this.#callers.idOf(call.name) };
  }

  #shot(call: Call): Shot {
    const parts = this.#shotParts(call);
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
  }: Call & { readonly id: string }): Pick<Shot, "to" | "method" | "url"> {
    const search = new URLSearchParams(query).toString();
    return { to: "base", method, url: `${PREFIX[api]}/${id}${path}${search === "" ? "" : `?${search}`}` };
  }

  #headers({ api, name, method, path, body }: Call): Record<string, string> {
    const gamble = this.#gamble;
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
  #nearly(call: Call & { readonly id: string }): Shot {
    const gamble = this.#gamble;
    if (call.body !== undefined) return this.#shot({ ...call, body: spoilt(call.body, gamble) });
    const names = [...Object.keys(call.query ?? {}), "extra", "schedule_id", "__proto__"];
    const value = hostileValue(gamble);
    const text = typeof value === "string" ? wellFormed(value) : String(JSON.stringify(value));
    return this.#shot({ ...call, query: { ...call.query, [gamble.pick(names)]: text } });
  }

  #hostile(call: Call): Shot {
    const gamble = this.#gamble;
    const plain = this.#shot(call);
    const { url, headers } = plain;
    const id = this.#callers.idOf(call.name);
    switch (gamble.below(13)) {
      case 0:
        return {
          ...plain,
          payload: hostileText(plain.payload ?? "{}", gamble),
          headers: { ...headers, ...JSON_HEADERS },
        };
      case 1:
        return {
          ...plain,
          payload: hostileText(plain.payload ?? "{}", gamble),
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
        return { ...plain, url: `${url.split("?")[0]}/${hostilePart(gamble)}` };
      case 5:
        return { ...plain, url: url.replace(id, gamble.chance(0.5) ? hostilePart(gamble) : this.#strangeId(id)) };
      case 6:
        return { ...plain, url: url.replace(/\/[^/?]*(\?|$)/, `/${hostilePart(gamble)}$1`) };
      case 7:
        return {
          ...plain,
          url: `${url}${url.includes("?") ? "&" : "?"}${hostilePart(gamble)}=${hostilePart(gamble)}&a=1&a=2`,
        };
      case 8: {
        const tokens = [
          "",
          "Bearer",
          "Bearer ",
          "Basic dTpw",
          `Bearer ${this.#tokens.get(this.#callers.anyName())}`,
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
  #strangeId(id: string): string {
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
      this.#callers.idOf(this.#callers.anyName()),
      "x".repeat(300),
    ];
    return this.#gamble.pick(strange);
  }

  #auth(): Shot {
    const gamble = this.#gamble;
    const token = this.#refreshTokenOf(this.#callers.anyName());
    const good = `Bearer ${token}`;
    const authorization = gamble.chance(0.5)
      ? good
      : gamble.pick([
          "",
          "Bearer x",
          `Bearer ${token.slice(1)}`,
          `Basic ${token}`,
          `${good}, ${good}`,
          `Bearer ${this.#tokens.get(this.#callers.anyName())}`,
        ]);
    const body = gamble.chance(0.3) ? { payload: hostileText('{"a":1}', gamble) } : {};
    const type: Record<string, string> = gamble.chance(0.3)
      ? { "content-type": gamble.pick(["application/json", "text/plain", "x/y"]) }
      : {};
    const shot: Shot = {
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

  #post(url: string, body: unknown): Shot {
    return {
      to: "base",
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      payload: jsonText(body),
    };
  }

  #sandbox(): Shot {
    const gamble = this.#gamble;
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
    if (good.payload === undefined) return { ...good, url: `${good.url}/${hostilePart(gamble)}` };
    return {
      ...good,
      payload: gamble.chance(0.4)
        ? hostileText(good.payload, gamble)
        : jsonText(spoilt(JSON.parse(good.payload), gamble)),
    };
  }

  #goodSandbox(): Shot {
    const gamble = this.#gamble;
    const get = (url: string): Shot => ({ to: "base", method: "GET", url, headers: {} });
    const kind = gamble.pick(FAULT_KINDS);
    const site = this.#callers.anySite();
    const lasting = gamble.chance(0.8) ? { duration: gamble.pick(["PT30S", "PT7M", "PT1H", "PT0.001S"]) } : {};
    const limits = kind === "output_control" ? { limit_pct: gamble.pick([0, 30, 100]), reason: "manual" } : {};
    const { faults } = this.#callers.session;
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
