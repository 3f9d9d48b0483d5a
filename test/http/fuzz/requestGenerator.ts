import type { ApiName } from "../../../src/api/endpoints/route.ts";
import { isoUtc, MS_PER_MINUTE } from "../../../src/base/time.ts";
import { FAULT_KINDS, type FaultKind } from "../../../src/inputs/scenario/schema/faultSchema.ts";
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

/** Turns calls into requests: valid, with one error, or malformed. */
export class RequestGenerator {
  private readonly chooser: SeededChooser;
  private readonly callGenerator: CallGenerator;
  private readonly tokens: ReadonlyMap<string, string>;
  private readonly refreshTokenOf: (name: string) => string;
  private readonly checkpoints: string[] = [];
  private key = 0;

  constructor(
    chooser: SeededChooser,
    callers: CallGenerator,
    tokens: ReadonlyMap<string, string>,
    refreshTokenOf: (name: string) => string,
  ) {
    this.chooser = chooser;
    this.callGenerator = callers;
    this.tokens = tokens;
    this.refreshTokenOf = refreshTokenOf;
  }

  addCheckpoint(id: string): void {
    this.checkpoints.push(id);
  }

  nextRequest(): FuzzRequest {
    const chooser = this.chooser;
    const kind = chooser.below(100);
    if (kind < 48) return this.request(this.callGenerator.validCall());
    if (kind < 70) return this.nearlyValid(this.withId(this.callGenerator.validCall()));
    if (kind < 86) return this.malformed(this.callGenerator.validCall());
    if (kind < 90) return this.auth();
    return this.sandbox();
  }

  /** Advances the paused clock. */
  advanceRequest(): FuzzRequest {
    const { nowMs } = this.callGenerator.session;
    const bySeconds = this.chooser.pick([1, 30, 60, 60, 121, 300, 900]);
    const toMs = Math.min(FUZZ_END_MS, nowMs + bySeconds * 1_000 + this.chooser.pick([0, 0, 0, 0, 1, 500]));
    const wanted = toMs === FUZZ_END_MS || this.chooser.chance(0.5) ? { to: isoUtc(toMs) } : { by: `PT${bySeconds}S` };
    return this.post("/sandbox/clock/advance", wanted);
  }

  private withId(call: FuzzCall): FuzzCall & { readonly id: string } {
    return { ...call, id: this.callGenerator.idOf(call.name) };
  }

  private request(call: FuzzCall): FuzzRequest {
    const parts = this.withId(call);
    return { ...this.addressed(parts), headers: this.headers(parts), ...this.payload(call.body) };
  }

  private payload(body: unknown): { readonly payload?: string } {
    return body === undefined ? {} : { payload: jsonText(body) };
  }

  private addressed({
    api,
    id,
    method,
    path,
    query = {},
  }: FuzzCall & { readonly id: string }): Pick<FuzzRequest, "to" | "method" | "url"> {
    const search = new URLSearchParams(query).toString();
    return { to: "base", method, url: `${PREFIX[api]}/${id}${path}${search === "" ? "" : `?${search}`}` };
  }

  private headers({ api, name, method, path, body }: FuzzCall): Record<string, string> {
    const chooser = this.chooser;
    const keyed = api === "vpp-v1" && method === "POST" && path.startsWith("/control") && chooser.chance(0.3);
    // Earlier keys are reused with other bodies.
    const key: Record<string, string> = keyed
      ? { "idempotency-key": `key-${chooser.chance(0.2) ? chooser.below(this.key + 1) : this.key++}` }
      : {};
    return {
      authorization: `Bearer ${this.tokens.get(name)}`,
      ...(body === undefined ? {} : JSON_HEADERS),
      ...(chooser.chance(0.3) ? { "x-request-id": chooser.pick(["r-1", "a b", "x".repeat(200)]) } : {}),
      ...key,
    };
  }

  /** One invalid field. */
  private nearlyValid(call: FuzzCall & { readonly id: string }): FuzzRequest {
    const chooser = this.chooser;
    if (call.body !== undefined) return this.request({ ...call, body: corruptBody(call.body, chooser) });
    const names = [...Object.keys(call.query ?? {}), "extra", "schedule_id", "__proto__"];
    const value = malformedValue(chooser);
    const text = typeof value === "string" ? withoutLoneSurrogates(value) : String(JSON.stringify(value));
    return this.request({ ...call, query: { ...call.query, [chooser.pick(names)]: text } });
  }

  /** A body that is no JSON or not of this endpoint, a path of nobody, or another method. */
  private malformed(call: FuzzCall): FuzzRequest {
    const chooser = this.chooser;
    const valid = this.request(call);
    const headers = { ...valid.headers, ...JSON_HEADERS };
    return chooser.pick([
      () => ({ ...valid, payload: malformedText(valid.payload ?? "{}", chooser), headers }),
      () => ({ ...valid, url: `${valid.url.split("?")[0]}/${malformedPathPart(chooser)}` }),
      () => ({ ...valid, method: chooser.pick(["PUT", "PATCH", "HEAD", "OPTIONS", "GET", "POST", "DELETE"]) }),
      () => ({ ...valid, headers: { ...valid.headers, authorization: `Bearer ${malformedPathPart(chooser)}` } }),
    ])();
  }

  private auth(): FuzzRequest {
    const refresh = this.refreshTokenOf(this.callGenerator.anyName());
    const access = this.tokens.get(this.callGenerator.anyName());
    const authorization = this.chooser.pick([`Bearer ${refresh}`, `Bearer ${access}`, `Basic ${refresh}`, ""]);
    return { to: "auth", method: "POST", url: "/auth/refresh", headers: { authorization } };
  }

  private post(url: string, body: unknown): FuzzRequest {
    return {
      to: "base",
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      payload: jsonText(body),
    };
  }

  private sandbox(): FuzzRequest {
    const chooser = this.chooser;
    const good = this.goodSandbox();
    if (chooser.chance(0.5)) return good;
    if (good.payload === undefined) return { ...good, url: `${good.url}/${malformedPathPart(chooser)}` };
    return {
      ...good,
      payload: chooser.chance(0.4)
        ? malformedText(good.payload, chooser)
        : jsonText(corruptBody(JSON.parse(good.payload), chooser)),
    };
  }

  private goodSandbox(): FuzzRequest {
    const chooser = this.chooser;
    const get = (url: string): FuzzRequest => ({ to: "base", method: "GET", url, headers: {} });
    const kind = chooser.pick(FAULT_KINDS);
    const site = this.callGenerator.anySite();
    const lasting = chooser.chance(0.8) ? { duration: chooser.pick(["PT30S", "PT7M", "PT1H", "PT0.001S"]) } : {};
    const limit_pct = chooser.pick([0, 30, 100]);
    const limitsByKind: Partial<Record<FaultKind, object>> = {
      output_control: { limit_pct, reason: "manual" },
      derate: { limit_pct, ramp_in: chooser.pick(["PT0S", "PT1M", "PT0.007S"]), ramp_out: "PT10M" },
      sensor_offset: { sensor: chooser.pick(["soc", "power"]), offset: chooser.pick([-100, 0.5, 40]) },
      sensor_stuck: { sensor: chooser.pick(["soc", "power"]) },
      irradiance_shortfall: { limit_pct },
    };
    const limits = limitsByKind[kind] ?? {};
    const { faults } = this.callGenerator.session;
    switch (chooser.below(12)) {
      case 0:
      case 1:
        return this.post("/sandbox/faults", { kind, site, ...lasting, ...limits });
      case 2:
      case 3:
        return {
          to: "base",
          method: "DELETE",
          url: `/sandbox/faults/${faults.length === 0 ? "fault-9" : chooser.pick(faults).fault_id}`,
          headers: {},
        };
      case 4:
        return this.post("/sandbox/checkpoints", { label: "here" });
      case 5:
        return chooser.chance(0.3) && this.checkpoints.length > 0
          ? this.post(`/sandbox/checkpoints/${chooser.pick(this.checkpoints.slice(-3))}/restore`, {})
          : get("/sandbox/checkpoints");
      case 6:
        return get("/sandbox/state-hash");
      case 7:
        return this.post("/sandbox/export", {});
      case 8:
        return get("/sandbox/faults");
      case 9:
        return this.post("/sandbox/clock/pause", {});
      case 10:
        return this.post("/sandbox/clock/advance", { by: `PT${chooser.below(2) * (MS_PER_MINUTE / 1_000)}S` });
      default:
        return get("/sandbox/clock");
    }
  }
}
