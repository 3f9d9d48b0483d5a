import { Type } from "../../../base/schemaType.ts";
import type { Route } from "../route.ts";
import { optional, record, timestamp, VppEnergyRequest, VppPowerRequest } from "../schemas/baseSchemas.ts";
import {
  AddMemberRequest,
  MemberAdded,
  MemberRemoved,
  MemberUpdated,
  ScheduleQuery,
  UpdateMemberRequest,
  VppControlAnswer,
  VppControlRequest,
  VppDetails,
  VppEnergyHistory,
  VppMembers,
  VppPowerHistory,
  VppScheduleDeleted,
  VppSchedules,
  VppStatus,
} from "../schemas/vppSchemas.ts";
import { deleteSchedule, postControl } from "./control.ts";
import { answerEnergy, answerPower } from "./history.ts";
import { addMember, removeMember, updateMember } from "./members.ts";
import { answerSchedules } from "./schedules.ts";
import { answerDetails, answerMembers, answerStatus } from "./status.ts";

const READ = { api: "vpp-v1", rateBucket: "reference", isCommand: false } as const;
const COMMAND = { api: "vpp-v1", rateBucket: "control", isCommand: true } as const;

/** The endpoint table of the VPP API 1.4. */
export const VPP_V1_ROUTES: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/members",
    operationId: "listMembers",
    summary: "List the members",
    answerSchema: VppMembers,
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
    answerSchema: VppStatus,
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/status/details",
    operationId: "getStatusDetails",
    summary: "Status in blocks",
    querySchema: record({ include_components: optional(Type.Boolean()) }),
    answerSchema: VppDetails,
    handle: answerDetails,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/active_power/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    querySchema: record({ start_time_from: optional(timestamp()), start_time_to: optional(timestamp()) }),
    answerSchema: VppSchedules,
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/active_power",
    operationId: "getPowerHistory",
    summary: "Power history in kW",
    bodySchema: VppPowerRequest,
    answerSchema: VppPowerHistory,
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/measurements/energy",
    operationId: "getEnergyHistory",
    summary: "Energy history in kWh",
    bodySchema: VppEnergyRequest,
    answerSchema: VppEnergyHistory,
    handle: answerEnergy,
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/members",
    operationId: "addMember",
    summary: "Register a member",
    bodySchema: AddMemberRequest,
    checksBody: true,
    answerSchema: MemberAdded,
    handle: addMember,
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/members/{ems_id}",
    operationId: "updateMember",
    summary: "Update a member",
    bodySchema: UpdateMemberRequest,
    checksBody: true,
    answerSchema: MemberUpdated,
    handle: updateMember,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/members/{ems_id}",
    operationId: "removeMember",
    summary: "Remove a member from the VPP",
    answerSchema: MemberRemoved,
    handle: removeMember,
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/control/active_power",
    operationId: "controlActivePower",
    summary: "Immediate instruction or schedule",
    isIdempotent: true,
    bodySchema: VppControlRequest,
    checksBody: true,
    answerSchema: VppControlAnswer,
    handle: postControl,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: ScheduleQuery,
    answerSchema: VppScheduleDeleted,
    handle: deleteSchedule,
  },
];
