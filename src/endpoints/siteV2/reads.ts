import type { Route } from "../route.ts";
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
import { optional, record, timestamp } from "../schemas/words.ts";
import { answerBaseline } from "./baseline.ts";
import { answerEnergy } from "./energy.ts";
import { answerPower } from "./power.ts";
import { answerSchedules, answerServicePlan } from "./schedules.ts";
import { answerSpecifications } from "./specifications.ts";
import { answerDetails, answerStatus } from "./status.ts";

const READ = { api: "site-v2", bucket: "site", command: false, idempotent: false, query: null, body: null } as const;

/** The rows of the site API 2.2 that change nothing. */
export const SITE_V2_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "Summary status",
    answers: { 200: SiteStatus },
    answer: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    answers: { 200: SiteDetails },
    answer: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "What the site is and may do",
    answers: { 200: SiteSpecifications },
    answer: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    query: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answers: { 200: SiteSchedules },
    answer: answerSchedules,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    query: record({ start_time: optional(timestamp()) }),
    answers: { 200: SiteServicePlan },
    answer: answerServicePlan,
  },
  {
    ...READ,
    method: "GET",
    path: "/baseline",
    operationId: "getBaseline",
    summary: "Registered baselines of half hours",
    query: record({ start_time: optional(timestamp()), end_time: optional(timestamp()) }),
    answers: { 200: SiteBaselines },
    answer: answerBaseline,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    body: SitePowerRequest,
    answers: { 200: SitePowerHistory },
    answer: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    body: SiteEnergyRequest,
    answers: { 200: SiteEnergyHistory },
    answer: answerEnergy,
  },
];
