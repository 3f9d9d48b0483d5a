// Valid calls of every endpoint, using the ids seen in answers.

import { SKUS } from "../../../src/base/sku.ts";
import { isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { ApiName } from "../../../src/endpoints/route.ts";
import type { Session } from "../../../src/session/session.ts";
import { FUZZ_START_MS } from "./fuzzScenario.ts";
import type { SeededChooser } from "./seededChooser.ts";

/** One call below the prefix of its API. */
export interface FuzzCall {
  readonly api: ApiName;
  /** Of the VPP or site. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export class CallGenerator {
  readonly session: Session;
  readonly #chooser: SeededChooser;
  readonly #sites: readonly string[];
  readonly #vpps: readonly string[];
  readonly #ids: ReadonlyMap<string, string>;
  /** Ids seen in answers; recent ones are preferred. */
  readonly #schedules: string[] = [];

  constructor(session: Session, gamble: SeededChooser) {
    this.session = session;
    this.#chooser = gamble;
    const { sites, vpps } = session.scenario.world;
    this.#sites = sites.map(({ name }) => name);
    this.#vpps = vpps.map(({ name }) => name);
    this.#ids = new Map([
      ...sites.map(({ name, emsId }) => [name, emsId] as const),
      ...vpps.map(({ name, vppId }) => [name, vppId] as const),
    ]);
  }

  idOf(name: string): string {
    return this.#ids.get(name)!;
  }

  anyName(): string {
    return this.#chooser.pick([...this.#sites, ...this.#vpps]);
  }

  anySite(): string {
    return this.#chooser.pick(this.#sites);
  }

  /** Records the ids in an answer. */
  rememberSchedules(text: string): void {
    for (const [, id] of text.slice(0, 4_000).matchAll(/"schedule_id":"([0-9a-f]{32})"/g)) this.#schedules.push(id);
    if (this.#schedules.length > 60) this.#schedules.splice(0, 40);
  }

  validCall(): FuzzCall {
    const gamble = this.#chooser;
    switch (gamble.below(20)) {
      case 0:
        return this.#vpp("POST", "/members", {
          ems_id: this.idOf(this.anySite()),
          resource_type: gamble.pick(["battery", "battery", "generator", "consumer", "multi_component"]),
          label: gamble.pick(["a", "日本"]),
        });
      case 1:
        return this.#vpp("POST", `/members/${this.idOf(this.anySite())}`, {
          allocation_weight: gamble.pick([0, 100, 33.3, 999_999.9]),
          label: "later",
        });
      case 2:
        return this.#vpp("DELETE", `/members/${this.idOf(this.anySite())}`);
      case 3:
      case 4:
      case 5:
      case 6:
        return this.#vpp("POST", "/control/active_power", this.#vppControl());
      case 7:
      case 8:
        return this.#deletion();
      case 9:
      case 10:
        return { ...this.#site("site-v2"), method: "POST", path: "/control/active_power", body: this.#siteControl() };
      case 11:
        return { ...this.#site("site-v1"), method: "POST", path: "/control/power", body: this.#v1Control() };
      case 12:
      case 13:
      case 14:
        return this.#history();
      default:
        return this.#read();
    }
  }

  #vpp(method: string, path: string, body?: unknown): FuzzCall {
    return {
      api: "vpp-v1",
      name: this.#chooser.pick(this.#vpps),
      method,
      path,
      ...(body === undefined ? {} : { body }),
    };
  }

  #site(api: "site-v1" | "site-v2"): { readonly api: ApiName; readonly name: string } {
    return { api, name: this.anySite() };
  }

  #kw(): number {
    return this.#chooser.pick([-400, -180.5, -90, -33.3, -10, 0, 0.1, 25, 120, 260.7]);
  }

  #timing(): Record<string, unknown> {
    const gamble = this.#chooser;
    if (gamble.chance(0.3)) return { type: "immediate", duration_minutes: gamble.pick([1, 5, 20, 90, 1440]) };
    const minute = Math.ceil(this.session.nowMs / MS_PER_MINUTE);
    const startMs = (minute + gamble.pick([0, 1, 2, 5, 10, 30, 90, 240])) * MS_PER_MINUTE;
    const endMs = startMs + gamble.pick([1, 5, 15, 30, 60, 180]) * MS_PER_MINUTE;
    return { type: "schedule", start_time: isoUtc(startMs), end_time: isoUtc(endMs) };
  }

  #amounts(): Record<string, unknown> {
    const gamble = this.#chooser;
    const sku = gamble.pick([...SKUS, null, null]);
    const fcr_response_kw = gamble.pick([10, 60.5, 200]);
    if (sku === "fcr") return { sku, fcr_response_kw };
    if (sku !== "compound" || gamble.chance(0.4))
      return { ...(sku === null && gamble.chance(0.5) ? {} : { sku }), delta_kw: this.#kw() };
    return {
      sku,
      delta_kw: -200,
      fcr_response_kw: 50,
      compound_breakdown: { fcr_response_kw: 50, frr: -200, rr: -80.5 },
    };
  }

  #vppControl(): unknown {
    const { vpps } = this.session.context.world;
    const wanted = this.#chooser.chance(0.9)
      ? [...new Set(vpps.flatMap(({ members }) => members.map(({ site }) => site)))]
      : [0, 1];
    const own = this.#chooser.pick(vpps).members.map(({ site }) => site);
    const sites = this.#chooser.chance(0.1) ? wanted : own;
    const member_baselines = sites.map((site) => ({
      ems_id: this.session.scenario.world.sites[site].emsId,
      baseline_kw: this.#chooser.pick([0, 0, 300, -200, 12.34]),
    }));
    return { ...this.#timing(), ...this.#amounts(), member_baselines };
  }

  #siteControl(): unknown {
    const gamble = this.#chooser;
    const amounts = gamble.chance(0.2) ? { site_kw: this.#kw() } : this.#amounts();
    const component = gamble.chance(0.15)
      ? { component_id: gamble.pick(["bat", "store", "roof", "office", "line"]) }
      : {};
    return {
      ...this.#timing(),
      ...amounts,
      ...component,
      ...(gamble.chance(0.8) ? { baseline_kw: gamble.pick([0, 250]) } : {}),
    };
  }

  #v1Control(): unknown {
    const sku = this.#chooser.pick(["frr", "rr", "exchange-da", "unknown"]);
    return { ...this.#timing(), power_kw: this.#kw(), baseline_kw: 0, ...(this.#chooser.chance(0.5) ? { sku } : {}) };
  }

  #deletion(): FuzzCall {
    const schedule_id = this.#chooser.pick([...this.#schedules.slice(-20), "0".repeat(32)]);
    const path = "/control/active_power/schedules";
    if (this.#chooser.chance(0.6)) return { ...this.#vpp("DELETE", path), query: { schedule_id } };
    if (this.#chooser.chance(0.6)) return { ...this.#site("site-v2"), method: "DELETE", path, query: { schedule_id } };
    return { ...this.#site("site-v1"), method: "DELETE", path: "/control/schedules", query: { id: schedule_id } };
  }

  #history(): FuzzCall {
    const gamble = this.#chooser;
    const { nowMs } = this.session;
    const startMs = FUZZ_START_MS + gamble.below(Math.max(1, nowMs - FUZZ_START_MS));
    const endMs = Math.min(
      nowMs + gamble.pick([0, 0, MS_PER_HOUR]),
      startMs + gamble.pick([1, 600, 3_600, 9_000]) * 1_000,
    );
    const period = { start_time: isoUtc(startMs), end_time: isoUtc(endMs) };
    const power = { ...period, interval_seconds: gamble.pick(endMs - startMs < 700_000 ? [1, 60] : [60, 1800, 3600]) };
    const energy = gamble.chance(0.5) ? period : { ...period, interval_seconds: gamble.pick([1800, 3600, 86_400]) };
    const more = {
      ...(gamble.chance(0.3) ? { include_components: gamble.chance(0.7) } : {}),
      ...(gamble.chance(0.2) ? { ems_ids: [this.idOf(this.anySite())] } : {}),
      ...(gamble.chance(0.2) ? { request_id: "r-1" } : {}),
    };
    const site = (path: string, body: unknown): FuzzCall => ({ ...this.#site("site-v2"), method: "POST", path, body });
    const old = (path: string, body: unknown): FuzzCall => ({ ...this.#site("site-v1"), method: "POST", path, body });
    return gamble.pick([
      () => this.#vpp("POST", "/measurements/active_power", { ...power, ...more }),
      () => this.#vpp("POST", "/measurements/energy", { ...energy, ...more }),
      () => site("/measurements/active_power", power),
      () => site("/measurements/energy", energy),
      () => old("/report/power", power),
      () => old("/report/energy", period),
    ])();
  }

  #read(): FuzzCall {
    const gamble = this.#chooser;
    const get = (path: string, query: Record<string, string> = {}) => ({ method: "GET", path, query });
    const aroundNow = (hours: number) => isoUtc(Math.floor(this.session.nowMs / 1_000) * 1_000 + hours * MS_PER_HOUR);
    const window: Record<string, string> = gamble.chance(0.5)
      ? {}
      : { start_time: aroundNow(-2), end_time: aroundNow(gamble.pick([0, 30, 3_000])) };
    if (gamble.chance(0.4)) {
      const list = { start_time_from: aroundNow(-2), start_time_to: aroundNow(gamble.pick([-3, 30])) };
      const reads = [
        get("/members"),
        get("/status"),
        get("/status/details", { include_components: gamble.pick(["true", "false"]) }),
        get("/control/active_power/schedules", gamble.chance(0.5) ? {} : list),
      ];
      return { api: "vpp-v1", name: gamble.pick(this.#vpps), ...gamble.pick(reads) };
    }
    const newer = [
      get("/status"),
      get("/status/details"),
      get("/specifications"),
      get("/control/active_power/schedules", window),
      get("/serviceplan"),
      get("/baseline", window),
    ];
    const older = [
      get("/status"),
      get("/specifications"),
      get("/control/schedules"),
      get("/fcr/config"),
      get("/serviceplan"),
    ];
    return gamble.chance(0.6)
      ? { ...this.#site("site-v2"), ...gamble.pick(newer) }
      : { ...this.#site("site-v1"), ...gamble.pick(older) };
  }
}
