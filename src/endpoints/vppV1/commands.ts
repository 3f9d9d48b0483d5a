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

const COMMAND = {
  api: "vpp-v1",
  rateBucket: "control",
  isCommand: true,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The commands of VPP API 1.4. */
export const VPP_V1_COMMANDS: readonly Route[] = [
  {
    ...COMMAND,
    method: "POST",
    path: "/members",
    operationId: "addMember",
    summary: "Register a member",
    bodySchema: AddMemberRequest,
    checksBody: true,
    answerSchemas: { 200: MemberAdded },
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
    answerSchemas: { 200: MemberUpdated },
    handle: updateMember,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/members/{ems_id}",
    operationId: "removeMember",
    summary: "Remove a member from the VPP",
    answerSchemas: { 200: MemberRemoved },
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
    answerSchemas: { 200: VppControlAnswer },
    handle: postControl,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: ScheduleQuery,
    answerSchemas: { 200: VppScheduleDeleted },
    handle: deleteSchedule,
  },
];
