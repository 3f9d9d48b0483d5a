import type { Route } from "../route.ts";
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
import { optional, record, timestamp } from "../schemas/words.ts";
import { answerEnergy, answerPower } from "./reports.ts";
import { answerSchedules } from "./schedules.ts";
import { answerFcrConfig, answerServicePlan, answerSpecifications, answerStatus } from "./state.ts";

const READ = { api: "site-v1", bucket: "site", command: false, idempotent: false, query: null, body: null } as const;

/** The rows of the site API 1.13 that change nothing. */
export const SITE_V1_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "State of the whole system",
    answers: { 200: V1Status },
    answer: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "Ratings",
    answers: { 200: V1Specifications },
    answer: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    answers: { 200: V1Schedules },
    answer: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/power",
    operationId: "getPowerReport",
    summary: "Power and frequency history",
    body: ReportPowerRequest,
    answers: { 200: V1PowerReport },
    answer: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/energy",
    operationId: "getEnergyReport",
    summary: "Cumulative energy",
    body: ReportEnergyRequest,
    answers: { 200: V1EnergyReport },
    answer: answerEnergy,
  },
  {
    ...READ,
    method: "GET",
    path: "/fcr/config",
    operationId: "getFcrConfig",
    summary: "Parameters of the frequency response",
    answers: { 200: V1FcrConfig },
    answer: answerFcrConfig,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    query: record({ start_time: optional(timestamp()) }),
    answers: { 200: V1ServicePlan },
    answer: answerServicePlan,
  },
];
