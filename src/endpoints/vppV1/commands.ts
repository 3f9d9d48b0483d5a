import type { Route } from "../route.ts";
import {
  AddMemberRequest,
  MemberAdded,
  MemberRemoved,
  MemberUpdated,
  ScheduleQuery,
  UpdateMemberRequest,
  VppControlAnswer,
  VppControlRequest,
  VppScheduleDeleted,
} from "../schemas/vppCommands.ts";
import { deleteSchedule, postControl } from "./control.ts";
import { addMember, removeMember, updateMember } from "./members.ts";

const common = { api: "vpp-v1", bucket: "control", command: true, idempotent: false, query: null, body: null } as const;

/** The rows of the VPP API 1.4 that change the world. */
export const VPP_V1_COMMANDS: readonly Route[] = [
  {
    ...common,
    method: "POST",
    path: "/members",
    operationId: "addMember",
    summary: "Register a member",
    body: AddMemberRequest,
    checksBody: true,
    answers: { 200: MemberAdded },
    answer: addMember,
  },
  {
    ...common,
    method: "POST",
    path: "/members/{ems_id}",
    operationId: "updateMember",
    summary: "Update a member",
    body: UpdateMemberRequest,
    checksBody: true,
    answers: { 200: MemberUpdated },
    answer: updateMember,
  },
  {
    ...common,
    method: "DELETE",
    path: "/members/{ems_id}",
    operationId: "removeMember",
    summary: "Remove a member from the VPP",
    answers: { 200: MemberRemoved },
    answer: removeMember,
  },
  {
    ...common,
    method: "POST",
    path: "/control/active_power",
    operationId: "controlActivePower",
    summary: "Immediate instruction or schedule",
    idempotent: true,
    body: VppControlRequest,
    checksBody: true,
    answers: { 200: VppControlAnswer },
    answer: postControl,
  },
  {
    ...common,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    query: ScheduleQuery,
    answers: { 200: VppScheduleDeleted },
    answer: deleteSchedule,
  },
];
