// Valid calls of every endpoint, using the ids seen in answers.

import type { ApiName } from "../../../src/api/endpoints/route.ts";
import { SKUS } from "../../../src/base/sku.ts";
import { isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { Session } from "../../../src/live/session/session.ts";
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
  private readonly chooser: SeededChooser;
  private readonly sites: readonly string[];
  private readonly vpps: readonly string[];
  private readonly ids: ReadonlyMap<string, string>;
  /** Ids seen in answers; recent ones are preferred. */
  private readonly schedules: string[] = [];

  constructor(session: Session, chooser: SeededChooser) {
    this.session = session;
    this.chooser = chooser;
    const { sites, vpps } = session.scenario.world;
    this.sites = sites.map(({ name }) => name);
    this.vpps = vpps.map(({ name }) => name);
    this.ids = new Map([
      ...sites.map(({ name, emsId }) => [name, emsId] as const),
      ...vpps.map(({ name, vppId }) => [name, vppId] as const),
    ]);
  }

  idOf(name: string): string {
    return this.ids.get(name)!;
  }

  anyName(): string {
    return this.chooser.pick([...this.sites, ...this.vpps]);
  }

  anySite(): string {
    return this.chooser.pick(this.sites);
  }

  /** Records the ids in an answer. */
  rememberSchedules(text: string): void {
    for (const [, id] of text.slice(0, 4_000).matchAll(/"schedule_id":"([0-9a-f]{32})"/g)) this.schedules.push(id);
    if (this.schedules.length > 60) this.schedules.splice(0, 40);
  }

  validCall(): FuzzCall {
    const chooser = this.chooser;
    switch (chooser.below(20)) {
      case 0:
        return this.vpp("POST", "/members", {
          ems_id: this.idOf(this.anySite()),
          resource_type: chooser.pick(["battery", "battery", "generator", "consumer", "multi_component"]),
          label: chooser.pick(["a", "日本"]),
        });
      case 1:
        return this.vpp("POST", `/members/${this.idOf(this.anySite())}`, {
          allocation_weight: chooser.pick([0, 100, 33.3, 999_999.9]),
          label: "later",
        });
      case 2:
        return this.vpp("DELETE", `/members/${this.idOf(this.anySite())}`);
      case 3:
      case 4:
      case 5:
      case 6:
        return this.vpp("POST", "/control/active_power", this.vppControl());
      case 7:
      case 8:
        return this.deletion();
      case 9:
      case 10:
        return { ...this.site("site-v2"), method: "POST", path: "/control/active_power", body: this.siteControl() };
      case 11:
        return { ...this.site("site-v1"), method: "POST", path: "/control/power", body: this.v1Control() };
      case 12:
      case 13:
      case 14:
        return this.history();
      default:
        return this.read();
    }
  }

  private vpp(method: string, path: string, body?: unknown): FuzzCall {
    return {
      api: "vpp-v1",
      name: this.chooser.pick(this.vpps),
      method,
      path,
      ...(body === undefined ? {} : { body }),
    };
  }

  private site(api: "site-v1" | "site-v2"): { readonly api: ApiName; readonly name: string } {
    return { api, name: this.anySite() };
  }

  private kw(): number {
    return this.chooser.pick([-400, -180.5, -90, -33.3, -10, 0, 0.1, 25, 120, 260.7]);
  }

  private timing(): Record<string, unknown> {
    const chooser = this.chooser;
    if (chooser.chance(0.3)) return { type: "immediate", duration_minutes: chooser.pick([1, 5, 20, 90, 1440]) };
    const minute = Math.ceil(this.session.nowMs / MS_PER_MINUTE);
    const startMs = (minute + chooser.pick([0, 1, 2, 5, 10, 30, 90, 240])) * MS_PER_MINUTE;
    const endMs = startMs + chooser.pick([1, 5, 15, 30, 60, 180]) * MS_PER_MINUTE;
    return { type: "schedule", start_time: isoUtc(startMs), end_time: isoUtc(endMs) };
  }

  private amounts(): Record<string, unknown> {
    const chooser = this.chooser;
    const sku = chooser.pick([...SKUS, null, null]);
    const fcr_response_kw = chooser.pick([10, 60.5, 200]);
    if (sku === "fcr") return { sku, fcr_response_kw };
    if (sku !== "compound" || chooser.chance(0.4))
      return { ...(sku === null && chooser.chance(0.5) ? {} : { sku }), delta_kw: this.kw() };
    return {
      sku,
      delta_kw: -200,
      fcr_response_kw: 50,
      compound_breakdown: { fcr_response_kw: 50, frr: -200, rr: -80.5 },
    };
  }

  private vppControl(): unknown {
    const { vpps } = this.session.context.world;
    const wanted = this.chooser.chance(0.9)
      ? [...new Set(vpps.flatMap(({ members }) => members.map(({ site }) => site)))]
      : [0, 1];
    const own = this.chooser.pick(vpps).members.map(({ site }) => site);
    const sites = this.chooser.chance(0.1) ? wanted : own;
    const member_baselines = sites.map((site) => ({
      ems_id: this.session.scenario.world.sites[site].emsId,
      baseline_kw: this.chooser.pick([0, 0, 300, -200, 12.34]),
    }));
    return { ...this.timing(), ...this.amounts(), member_baselines };
  }

  private siteControl(): unknown {
    const chooser = this.chooser;
    const amounts = chooser.chance(0.2) ? { site_kw: this.kw() } : this.amounts();
    const component = chooser.chance(0.15)
      ? { component_id: chooser.pick(["bat", "store", "roof", "office", "line"]) }
      : {};
    return {
      ...this.timing(),
      ...amounts,
      ...component,
      ...(chooser.chance(0.8) ? { baseline_kw: chooser.pick([0, 250]) } : {}),
    };
  }

  private v1Control(): unknown {
    const sku = this.chooser.pick(["frr", "rr", "exchange-da", "unknown"]);
    return { ...this.timing(), power_kw: this.kw(), baseline_kw: 0, ...(this.chooser.chance(0.5) ? { sku } : {}) };
  }

  private deletion(): FuzzCall {
    const schedule_id = this.chooser.pick([...this.schedules.slice(-20), "0".repeat(32)]);
    const path = "/control/active_power/schedules";
    if (this.chooser.chance(0.6)) return { ...this.vpp("DELETE", path), query: { schedule_id } };
    if (this.chooser.chance(0.6)) return { ...this.site("site-v2"), method: "DELETE", path, query: { schedule_id } };
    return { ...this.site("site-v1"), method: "DELETE", path: "/control/schedules", query: { id: schedule_id } };
  }

  private history(): FuzzCall {
    const chooser = this.chooser;
    const { nowMs } = this.session;
    const startMs = FUZZ_START_MS + chooser.below(Math.max(1, nowMs - FUZZ_START_MS));
    const endMs = Math.min(
      nowMs + chooser.pick([0, 0, MS_PER_HOUR]),
      startMs + chooser.pick([1, 600, 3_600, 9_000]) * 1_000,
    );
    const period = { start_time: isoUtc(startMs), end_time: isoUtc(endMs) };
    const power = { ...period, interval_seconds: chooser.pick(endMs - startMs < 700_000 ? [1, 60] : [60, 1800, 3600]) };
    const energy = chooser.chance(0.5) ? period : { ...period, interval_seconds: chooser.pick([1800, 3600, 86_400]) };
    const more = {
      ...(chooser.chance(0.3) ? { include_components: chooser.chance(0.7) } : {}),
      ...(chooser.chance(0.2) ? { ems_ids: [this.idOf(this.anySite())] } : {}),
      ...(chooser.chance(0.2) ? { request_id: "r-1" } : {}),
    };
    const site = (path: string, body: unknown): FuzzCall => ({ ...this.site("site-v2"), method: "POST", path, body });
    const old = (path: string, body: unknown): FuzzCall => ({ ...this.site("site-v1"), method: "POST", path, body });
    return chooser.pick([
      () => this.vpp("POST", "/measurements/active_power", { ...power, ...more }),
      () => this.vpp("POST", "/measurements/energy", { ...energy, ...more }),
      () => site("/measurements/active_power", power),
      () => site("/measurements/energy", energy),
      () => old("/report/power", power),
      () => old("/report/energy", period),
    ])();
  }

  private read(): FuzzCall {
    const chooser = this.chooser;
    const get = (path: string, query: Record<string, string> = {}) => ({ method: "GET", path, query });
    const aroundNow = (hours: number) => isoUtc(Math.floor(this.session.nowMs / 1_000) * 1_000 + hours * MS_PER_HOUR);
    const window: Record<string, string> = chooser.chance(0.5)
      ? {}
      : { start_time: aroundNow(-2), end_time: aroundNow(chooser.pick([0, 30, 3_000])) };
    if (chooser.chance(0.4)) {
      const list = { start_time_from: aroundNow(-2), start_time_to: aroundNow(chooser.pick([-3, 30])) };
      const reads = [
        get("/members"),
        get("/status"),
        get("/status/details", { include_components: chooser.pick(["true", "false"]) }),
        get("/control/active_power/schedules", chooser.chance(0.5) ? {} : list),
      ];
      return { api: "vpp-v1", name: chooser.pick(this.vpps), ...chooser.pick(reads) };
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
    return chooser.chance(0.6)
      ? { ...this.site("site-v2"), ...chooser.pick(newer) }
      : { ...this.site("site-v1"), ...chooser.pick(older) };
  }
}
