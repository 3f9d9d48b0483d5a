import type { Route } from "../route.ts";
import { optional, record, timestamp } from "../schemas/baseSchemas.ts";
import { ReportEnergyRequest, ReportPowerRequest } from "../schemas/historyRequests.ts";
import {
  V1EnergyReport,
  V1FcrConfig,
  V1PowerReport,
  V1Schedules,
  V1ServicePlan,
  V1Specifications,
  V1Status,
} from "../schemas/siteV1Reads.ts";
import { answerEnergy, answerPower } from "./reports.ts";
import { answerSchedules } from "./schedules.ts";
import { answerFcrConfig, answerServicePlan, answerSpecifications, answerStatus } from "./state.ts";

const READ = {
  api: "site-v1",
  rateBucket: "site",
  isCommand: false,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The reads of site API 1.13. */
export const SITE_V1_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "State of the whole system",
    answerSchemas: { 200: V1Status },
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "Ratings",
    answerSchemas: { 200: V1Specifications },
    handle: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    answerSchemas: { 200: V1Schedules },
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/power",
    operationId: "getPowerReport",
    summary: "Power and frequency history",
    bodySchema: ReportPowerRequest,
    answerSchemas: { 200: V1PowerReport },
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/energy",
    operationId: "getEnergyReport",
    summary: "Cumulative energy",
    bodySchema: ReportEnergyRequest,
    answerSchemas: { 200: V1EnergyReport },
    handle: answerEnergy,
  },
  {
    ...READ,
    method: "GET",
    path: "/fcr/config",
    operationId: "getFcrConfig",
    summary: "Parameters of the frequency response",
    answerSchemas: { 200: V1FcrConfig },
    handle: answerFcrConfig,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    querySchema: record({ start_time: optional(timestamp()) }),
    answerSchemas: { 200: V1ServicePlan },
    handle: answerServicePlan,
  },
];
