import type { SiteEnergyRequest, SitePowerRequest, Static } from "../endpoints/schemas/baseSchemas.ts";
import type {
  SiteBaselines,
  SiteControlAnswer,
  SiteControlRequest,
  SiteDetails,
  SiteEnergyHistory,
  SitePowerHistory,
  SiteScheduleDeleted,
  SiteSchedules,
  SiteServicePlan,
  SiteSpecifications,
  SiteStatus,
} from "../endpoints/schemas/siteV2Schemas.ts";
import type { RateLimit } from "./apiError.ts";
import { type ClientOptions, Connection } from "./connection.ts";

/** Half-hour slots in UTC. */
export interface BaselineRequest {
  /** Optional; must be the id of the called site. */
  readonly ems_id?: string;
  readonly baselines: readonly {
    readonly start_time: string;
    readonly end_time: string;
    readonly baseline_kw: number;
    readonly method_note?: string;
  }[];
}

export interface BaselineAnswer {
  readonly ems_id: string;
  readonly registered: readonly {
    readonly start_time: string;
    readonly end_time: string;
    readonly baseline_kw: number;
    readonly action: "created" | "overwritten";
  }[];
  readonly timestamp: string;
}

/** A period; both ends are instants in UTC. */
export interface Window {
  readonly start_time?: string;
  readonly end_time?: string;
}

/** Client of site control API 2.2, for one site. */
export class SiteV2Client {
  private readonly connection: Connection;

  constructor(options: ClientOptions) {
    this.connection = new Connection(options, "/v2/ems/");
  }

  /** Rate limit of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.connection.rateLimit;
  }

  /** For telemetry, which also serves clients of the site's API v1. */
  accessToken(): Promise<string> {
    return this.connection.accessToken();
  }

  status(): Promise<SiteStatus> {
    return this.connection.get("/status");
  }

  statusDetails(): Promise<SiteDetails> {
    return this.connection.get("/status/details");
  }

  specifications(): Promise<SiteSpecifications> {
    return this.connection.get("/specifications");
  }

  /** Repeated without a second effect if no answer arrives. @param idempotencyKey  key chosen by the caller */
  control(request: SiteControlRequest, idempotencyKey?: string): Promise<Static<typeof SiteControlAnswer>> {
    return this.connection.postIdempotent("/control/active_power", request, idempotencyKey);
  }

  schedules(window: Window = {}): Promise<SiteSchedules> {
    return this.connection.get("/control/active_power/schedules", { ...window });
  }

  deleteSchedule(scheduleId: string): Promise<Static<typeof SiteScheduleDeleted>> {
    return this.connection.delete("/control/active_power/schedules", { schedule_id: scheduleId });
  }

  postBaseline(request: BaselineRequest, idempotencyKey?: string): Promise<BaselineAnswer> {
    return this.connection.postIdempotent("/baseline", request, idempotencyKey);
  }

  baseline(window: Window = {}): Promise<SiteBaselines> {
    return this.connection.get("/baseline", { ...window });
  }

  powerHistory(request: SitePowerRequest): Promise<SitePowerHistory> {
    return this.connection.postQuery("/measurements/active_power", request);
  }

  energyHistory(request: SiteEnergyRequest): Promise<SiteEnergyHistory> {
    return this.connection.postQuery("/measurements/energy", request);
  }

  /** @param query  default of `start_time`: the half hour that contains now */
  servicePlan(query: { readonly start_time?: string } = {}): Promise<SiteServicePlan> {
    return this.connection.get("/serviceplan", query);
  }
}
