import type { Static } from "../endpoints/schemas/baseSchemas.ts";
import type { SiteEnergyRequest, SitePowerRequest } from "../endpoints/schemas/historyRequests.ts";
import type {
  SiteControlAnswer,
  SiteControlRequest,
  SiteScheduleDeleted,
} from "../endpoints/schemas/siteV2Commands.ts";
import type {
  SiteBaselines,
  SiteDetails,
  SiteEnergyHistory,
  SitePowerHistory,
  SiteSchedules,
  SiteServicePlan,
  SiteSpecifications,
  SiteStatus,
} from "../endpoints/schemas/siteV2Reads.ts";
import type { RateLimit } from "./apiError.ts";
import { type ClientOptions, Connection } from "./connection.ts";

/** Half-hour slots in UTC. */
export interface BaselineRequest {
  /** Of the site that is called; may be left out. */
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

/** A window in time; instants. */
export interface Window {
  readonly start_time?: string;
  readonly end_time?: string;
}

/** Site control API 2.2, for one site. */
export class SiteV2Client {
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options, "/v2/ems/");
  }

  /** Of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.#connection.rateLimit;
  }

  /** For telemetry, and for a `SiteV1Client`'s site too. */
  accessToken(): Promise<string> {
    return this.#connection.accessToken();
  }

  status(): Promise<SiteStatus> {
    return this.#connection.get("/status");
  }

  statusDetails(): Promise<SiteDetails> {
    return this.#connection.get("/status/details");
  }

  specifications(): Promise<SiteSpecifications> {
    return this.#connection.get("/specifications");
  }

  /** Repeated without a second effect when no answer comes. @param idempotencyKey  of the caller's own */
  control(request: SiteControlRequest, idempotencyKey?: string): Promise<Static<typeof SiteControlAnswer>> {
    return this.#connection.postIdempotent("/control/active_power", request, idempotencyKey);
  }

  schedules(window: Window = {}): Promise<SiteSchedules> {
    return this.#connection.get("/control/active_power/schedules", { ...window });
  }

  deleteSchedule(scheduleId: string): Promise<Static<typeof SiteScheduleDeleted>> {
    return this.#connection.delete("/control/active_power/schedules", { schedule_id: scheduleId });
  }

  postBaseline(request: BaselineRequest, idempotencyKey?: string): Promise<BaselineAnswer> {
    return this.#connection.postIdempotent("/baseline", request, idempotencyKey);
  }

  baseline(window: Window = {}): Promise<SiteBaselines> {
    return this.#connection.get("/baseline", { ...window });
  }

  powerHistory(request: SitePowerRequest): Promise<SitePowerHistory> {
    return this.#connection.postQuery("/measurements/active_power", request);
  }

  energyHistory(request: SiteEnergyRequest): Promise<SiteEnergyHistory> {
    return this.#connection.postQuery("/measurements/energy", request);
  }

  /** @param query  `start_time` left out: the half hour that contains now */
  servicePlan(query: { readonly start_time?: string } = {}): Promise<SiteServicePlan> {
    return this.#connection.get("/serviceplan", query);
  }
}
