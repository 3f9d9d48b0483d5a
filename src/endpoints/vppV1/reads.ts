import { Type } from "../../base/schemaType.ts";
import type { Route } from "../route.ts";
import { optional, record, timestamp } from "../schemas/baseSchemas.ts";
import { VppEnergyRequest, VppPowerRequest } from "../schemas/historyRequests.ts";
import {
  VppDetails,
  VppEnergyHistory,
  VppMembers,
  VppPowerHistory,
  VppSchedules,
  VppStatus,
} from "../schemas/vppReads.ts";
import { answerDetails } from "./details.ts";
import { answerEnergy } from "./energy.ts";
import { answerPower } from "./power.ts";
import { answerSchedules } from "./schedules.ts";
import { answerMembers, answerStatus } from "./status.ts";

const READ = {
  api: "vpp-v1",
  rateBucket: "reference",
  isCommand: false,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The reads of VPP API 1.4. */
export const VPP_V1_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/members",
    operationId: "listMembers",
    summary: "List the members",
    answerSchemas: { 200: VppMembers },
    handle: answerMembers,
  },
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "Summary status",
    // Clients send the parameter to both forms of the endpoint.
    ignoredQuerySchema: record({ include_components: optional(Type.Boolean()) }),
    answerSchemas: { 200: VppStatus },
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    querySchema: record({ include_components: optional(Type.Boolean()) }),
    answerSchemas: { 200: VppDetails },
    handle: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    querySchema: record({ start_time_from: optional(timestamp()), start_time_to: optional(timestamp()) }),
    answerSchemas: { 200: VppSchedules },
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    bodySchema: VppPowerRequest,
    answerSchemas: { 200: VppPowerHistory },
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    bodySchema: VppEnergyRequest,
    answerSchemas: { 200: VppEnergyHistory },
    handle: answerEnergy,
  },
];
