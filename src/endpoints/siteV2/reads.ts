import type { Route } from "../route.ts";
import { optional, record, timestamp } from "../schemas/baseSchemas.ts";
import { SiteEnergyRequest, SitePowerRequest } from "../schemas/historyRequests.ts";
import {
  SiteBaselines,
  SiteDetails,
  SiteEnergyHistory,
  SitePowerHistory,
  SiteSchedules,
  SiteServicePlan,
  SiteSpecifications,
  SiteStatus,
} from "../schemas/siteV2Reads.ts";
import { answerBaseline } from "./baseline.ts";
import { answerEnergy } from "./energy.ts";
import { answerPower } from "./power.ts";
import { answerSchedules, answerServicePlan } from "./schedules.ts";
import { answerSpecifications } from "./specifications.ts";
import { answerDetails, answerStatus } from "./status.ts";

const READ = {
  api: "site-v2",
  rateBucket: "site",
  isCommand: false,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The reads of site API 2.2. */
export const SITE_V2_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "Summary status",
    answerSchemas: { 200: SiteStatus },
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    answerSchemas: { 200: SiteDetails },
    handle: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "What the site is and may do",
    answerSchemas: { 200: SiteSpecifications },
    handle: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    querySchema: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answerSchemas: { 200: SiteSchedules },
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    querySchema: record({ start_time: optional(timestamp()) }),
    answerSchemas: { 200: SiteServicePlan },
    handle: answerServicePlan,
  },
  {
    ...READ,
    method: "GET",
    path: "/baseline",
    operationId: "getBaseline",
    summary: "Registered baselines of half hours",
    querySchema: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answerSchemas: { 200: SiteBaselines },
    handle: answerBaseline,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    bodySchema: SitePowerRequest,
    answerSchemas: { 200: SitePowerHistory },
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    bodySchema: SiteEnergyRequest,
    answerSchemas: { 200: SiteEnergyHistory },
    handle: answerEnergy,
  },
];
