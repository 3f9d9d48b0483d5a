import type { Static, VppEnergyRequest, VppPowerRequest } from "../endpoints/schemas/baseSchemas.ts";
import type {
  AddMemberRequest,
  MemberAdded,
  MemberRemoved,
  MemberUpdated,
  UpdateMemberRequest,
  VppControlAnswer,
  VppControlRequest,
  VppDetails,
  VppEnergyHistory,
  VppMembers,
  VppPowerHistory,
  VppScheduleDeleted,
  VppSchedules,
  VppStatus,
} from "../endpoints/schemas/vppSchemas.ts";
import type { RateLimit } from "./apiError.ts";
import { type ClientOptions, Connection } from "./connection.ts";

/** Client of VPP aggregation API 1.4, for one VPP. */
export class VppClient {
  private readonly connection: Connection;

  constructor(options: ClientOptions) {
    this.connection = new Connection(options, "/v1/vpp/");
  }

  /** Rate limit of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.connection.rateLimit;
  }

  /** For telemetry: `new WebSocket(url, ["bearer", await client.accessToken()])`. */
  accessToken(): Promise<string> {
    return this.connection.accessToken();
  }

  members(): Promise<VppMembers> {
    return this.connection.get("/members");
  }

  addMember(member: AddMemberRequest): Promise<Static<typeof MemberAdded>> {
    return this.connection.postCommand("/members", member);
  }

  updateMember(emsId: string, changes: UpdateMemberRequest): Promise<Static<typeof MemberUpdated>> {
    return this.connection.postCommand(`/members/${encodeURIComponent(emsId)}`, changes);
  }

  removeMember(emsId: string): Promise<Static<typeof MemberRemoved>> {
    return this.connection.delete(`/members/${encodeURIComponent(emsId)}`);
  }

  status(): Promise<VppStatus> {
    return this.connection.get("/status");
  }

  statusDetails(query: { readonly include_components?: boolean } = {}): Promise<VppDetails> {
    return this.connection.get("/status/details", query);
  }

  /**
   * Sends an immediate instruction or a schedule. It carries a key, so that it is repeated without a second effect if
   * no answer arrives.
   *
   * @param idempotencyKey  key chosen by the caller, for a command that is retried after a restart of the caller
   */
  control(request: VppControlRequest, idempotencyKey?: string): Promise<Static<typeof VppControlAnswer>> {
    return this.connection.postIdempotent("/control/active_power", request, idempotencyKey);
  }

  deleteSchedule(scheduleId: string): Promise<Static<typeof VppScheduleDeleted>> {
    return this.connection.delete("/control/active_power/schedules", { schedule_id: scheduleId });
  }

  /** @param query  limits of the schedules' start */
  schedules(query: { readonly start_time_from?: string; readonly start_time_to?: string } = {}): Promise<VppSchedules> {
    return this.connection.get("/control/active_power/schedules", query);
  }

  powerHistory(request: VppPowerRequest): Promise<VppPowerHistory> {
    return this.connection.postQuery("/measurements/active_power", request);
  }

  energyHistory(request: VppEnergyRequest): Promise<VppEnergyHistory> {
    return this.connection.postQuery("/measurements/energy", request);
  }
}
