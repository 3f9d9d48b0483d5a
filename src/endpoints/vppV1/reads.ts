import { Type } from "../../base/schemaType.ts";
import type { Route } from "../route.ts";
import { VppEnergyRequest, VppPowerRequest } from "../schemas/historyRequests.ts";
import {
  VppDetails,
  VppEnergyHistory,
  VppMembers,
  VppPowerHistory,
  VppSchedules,
  VppStatus,
} from "../schemas/vppReads.ts";
import { oneOf, optional, record, timestamp } from "../schemas/words.ts";
import { answerDetails } from "./details.ts";
import { answerEnergy } from "./energy.ts";
import { answerPower } from "./power.ts";
import { answerSchedules } from "./schedules.ts";
import { answerMembers, answerStatus } from "./status.ts";

const READ = {
  api: "vpp-v1",
  bucket: "reference",
  command: false,
  idempotent: false,
  query: null,
  body: null,
} as const;

/** The rows of the VPP API 1.4 that change nothing. */
export const VPP_V1_READS: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/members",
    operationId: "listMembers",
    summary: "List the members",
    answers: { 200: VppMembers },
    answer: answerMembers,
  },
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "Summary status",
    // Of no effect here, but a client may ask for both forms alike.
    query: record({ include_components: optional(Type.String()) }),
    answers: { 200: VppStatus },
    answer: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    query: record({ include_components: optional(oneOf(["true", "false"])) }),
    answers: { 200: VppDetails },
    answer: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    query: record({ start_time_from: optional(timestamp()), start_time_to: optional(timestamp()) }),
    answers: { 200: VppSchedules },
    answer: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    body: VppPowerRequest,
    answers: { 200: VppPowerHistory },
    answer: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    body: VppEnergyRequest,
    answers: { 200: VppEnergyHistory },
    answer: answerEnergy,
  },
];
