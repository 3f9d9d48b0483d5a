import type { Route } from "../route.ts";
import { optional, record, SiteEnergyRequest, SitePowerRequest, timestamp } from "../schemas/baseSchemas.ts";
import {
  BaselineAnswer,
  BaselineRequest,
  SITE_SCHEDULE_QUERY,
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
} from "../schemas/siteV2Schemas.ts";
import { deleteSchedule } from "../shared/siteSchedules.ts";
import { answerBaseline, postBaseline } from "./baseline.ts";
import { postSiteControl } from "./control.ts";
import { answerEnergy, answerPower } from "./history.ts";
import { answerSchedules, answerServicePlan } from "./schedules.ts";
import { answerSpecifications } from "./specifications.ts";
import { answerDetails, answerStatus } from "./status.ts";

const READ = { api: "site-v2", rateBucket: "site", isCommand: false } as const;
const COMMAND = { ...READ, isCommand: true } as const;

/** The endpoint table of the site API 2.2. */
export const SITE_V2_ROUTES: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "Summary status",
    answerSchema: SiteStatus,
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    answerSchema: SiteDetails,
    handle: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "What the site is and may do",
    answerSchema: SiteSpecifications,
    handle: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    querySchema: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answerSchema: SiteSchedules,
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    querySchema: record({ start_time: optional(timestamp()) }),
    answerSchema: SiteServicePlan,
    handle: answerServicePlan,
  },
  {
    ...READ,
    method: "GET",
    path: "/baseline",
    operationId: "getBaseline",
    summary: "Registered baselines of half hours",
    querySchema: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answerSchema: SiteBaselines,
    handle: answerBaseline,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    bodySchema: SitePowerRequest,
    answerSchema: SitePowerHistory,
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    bodySchema: SiteEnergyRequest,
    answerSchema: SiteEnergyHistory,
    handle: answerEnergy,
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/control/active_power",
    operationId: "controlActivePower",
    summary: "Register a schedule, or instruct at once",
    isIdempotent: true,
    bodySchema: SiteControlRequest,
    checksBody: true,
    answerSchema: SiteControlAnswer,
    handle: postSiteControl,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: SITE_SCHEDULE_QUERY,
    answerSchema: SiteScheduleDeleted,
    handle: (context, call) => deleteSchedule(context, call, call.query.schedule_id),
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/baseline",
    operationId: "postBaseline",
    summary: "Register baselines of half hours",
    isIdempotent: true,
    bodySchema: BaselineRequest,
    checksBody: true,
    answerSchema: BaselineAnswer,
    handle: postBaseline,
  },
];
