import { type ApiAnswer, at, column, type JsonBody, rowsOf, type ScenarioServer } from "../scenarioServer.ts";

/** Requests to VPPs, and what is read off their answers. */
export class VppRequests {
  readonly server: ScenarioServer;

  constructor(server: ScenarioServer) {
    this.server = server;
  }

  baselines(...names: readonly string[]) {
    return names.map((name) => ({ ems_id: this.server.idOf(name), baseline_kw: 0 }));
  }

  /** An hour from 01:00 for `frr`. */
  schedule(given: object = {}): object {
    const times = { start_time: at("01:00"), end_time: at("02:00") };
    return {
      type: "schedule",
      sku: "frr",
      delta_kw: -100,
      ...times,
      member_baselines: this.baselines("a", "b"),
      ...given,
    };
  }

  immediate(given: object = {}): object {
    const member_baselines = this.baselines("a", "b");
    return { type: "immediate", delta_kw: -100, duration_minutes: 30, member_baselines, ...given };
  }

  post(body: object, name = "east", headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return this.server.call("vpp-v1", name, "POST /control/active_power", body, { headers });
  }

  /** As `schedule`, of frequency response alone. */
  fcr(given: object = {}): object {
    return this.schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 60, ...given });
  }

  compound(breakdown: object | undefined, given: object = {}): object {
    return this.schedule({ sku: "compound", compound_breakdown: breakdown, ...given });
  }

  /** Set-points that the own interface of a site reports. */
  async dispatchedDeltaKw(site: string): Promise<unknown> {
    return (await this.server.call("site-v2", site, "GET /status")).body.dispatched_delta_kw;
  }
}

export const membersOf = ({ body }: { readonly body: JsonBody }) => rowsOf(body, "members");
export const statusesOf = (answered: { readonly body: JsonBody }) => column(membersOf(answered), "dispatch_status");
export const deltasOf = (answered: { readonly body: JsonBody }) => column(membersOf(answered), "delta_kw");
