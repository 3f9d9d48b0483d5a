import type { ReportEnergyRequest, ReportPowerRequest, Static } from "../endpoints/schemas/baseSchemas.ts";
import type {
  V1ControlAnswer,
  V1ControlRequest,
  V1EnergyReport,
  V1FcrConfig,
  V1PowerReport,
  V1ScheduleDeleted,
  V1Schedules,
  V1ServicePlan,
  V1Specifications,
  V1Status,
} from "../endpoints/schemas/siteV1Schemas.ts";
import type { RateLimit } from "./apiError.ts";
import { type ClientOptions, Connection } from "./connection.ts";

/** The five parameters of the primary frequency response. */
export type FcrParameters = Omit<V1FcrConfig, "ems_id" | "timestamp">;

/**
 * Client of site power control API 1.13, for one site. The API has no Idempotency-Key, so that commands are never
 * repeated.
 */
export class SiteV1Client {
  private readonly connection: Connection;

  constructor(options: ClientOptions) {
    this.connection = new Connection(options, "/v1/ems/");
  }

  /** Rate limit of the last answer. */
  get rateLimit(): RateLimit | null {
    return this.connection.rateLimit;
  }

  status(): Promise<V1Status> {
    return this.connection.get("/status");
  }

  specifications(): Promise<V1Specifications> {
    return this.connection.get("/specifications");
  }

  control(request: V1ControlRequest): Promise<Static<typeof V1ControlAnswer>> {
    return this.connection.postCommand("/control/power", request);
  }

  schedules(): Promise<V1Schedules> {
    return this.connection.get("/control/schedules");
  }

  deleteSchedule(scheduleId: string): Promise<Static<typeof V1ScheduleDeleted>> {
    return this.connection.delete("/control/schedules", { id: scheduleId });
  }

  powerReport(request: ReportPowerRequest): Promise<V1PowerReport> {
    return this.connection.postQuery("/report/power", request);
  }

  energyReport(request: ReportEnergyRequest): Promise<V1EnergyReport> {
    return this.connection.postQuery("/report/energy", request);
  }

  fcrConfig(): Promise<V1FcrConfig> {
    return this.connection.get("/fcr/config");
  }

  setFcrConfig(parameters: FcrParameters): Promise<V1FcrConfig & { readonly message: string }> {
    return this.connection.postCommand("/fcr/config", parameters);
  }

  /** @param query  default of `start_time`: now */
  servicePlan(query: { readonly start_time?: string } = {}): Promise<V1ServicePlan> {
    return this.connection.get("/serviceplan", query);
  }
}
