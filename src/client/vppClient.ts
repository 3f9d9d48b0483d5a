import type { VppEnergyRequest, VppPowerRequest } from "../requests/wire/historyRequests.ts";
import type {
  VppDetails,
  VppEnergyHistory,
  VppMembers,
  VppPowerHistory,
  VppSchedules,
  VppStatus,
} from "../requests/wire/vppReads.ts";
import type { RateLimit } from "./apiError.ts";
import { type ClientOptions, Connection } from "./connection.ts";

/** VPP aggregation API 1.4, for one VPP. */
export class VppClient {
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options, "/v1/vpp/");
  }

  /** Of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.#connection.rateLimit;
  }

  /** For telemetry: `new WebSocket(url, ["bearer", await client.accessToken()])`. */
  accessToken(): Promise<string> {
    return this.#connection.accessToken();
  }

  members(): Promise<VppMembers> {
    return this.#connection.read("/members");
  }

  status(): Promise<VppStatus> {
    return this.#connection.read("/status");
  }

  statusDetails(query: { readonly include_components?: boolean } = {}): Promise<VppDetails> {
    return this.#connection.read("/status/details", query);
  }

  /** @param query  instants; of the start of a schedule */
  schedules(query: { readonly start_time_from?: string; readonly start_time_to?: string } = {}): Promise<VppSchedules> {
    return this.#connection.read("/control/active_power/schedules", query);
  }

  powerHistory(request: VppPowerRequest): Promise<VppPowerHistory> {
    return this.#connection.ask("/measurements/active_power", request);
  }

  energyHistory(request: VppEnergyRequest): Promise<VppEnergyHistory> {
    return this.#connection.ask("/measurements/energy", request);
  }
}
