import type { Route } from "../route.ts";
import {
  V1_SCHEDULE_QUERY,
  V1ControlAnswer,
  V1ControlRequest,
  V1FcrRequest,
  V1FcrSet,
  V1ScheduleDeleted,
} from "../schemas/siteV1Commands.ts";
import { deleteSchedule } from "../shared/deleteSchedule.ts";
import { postPower } from "./control.ts";
import { setFcrConfig } from "./setFcrConfig.ts";

const common = { api: "site-v1", bucket: "site", command: true, idempotent: false, query: null, body: null } as const;

/** The rows of the site API 1.13 that change the world. */
export const SITE_V1_COMMANDS: readonly Route[] = [
  {
    ...common,
    method: "POST",
    path: "/control/power",
    operationId: "controlPower",
    summary: "Immediate instruction or schedule",
    body: V1ControlRequest,
    answers: { 200: V1ControlAnswer },
    answer: postPower,
  },
  {
    ...common,
    method: "DELETE",
    path: "/control/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    query: V1_SCHEDULE_QUERY,
    answers: { 200: V1ScheduleDeleted },
    answer: (context, call) => deleteSchedule(context, call, call.query.id),
  },
  {
    ...common,
    method: "POST",
    path: "/fcr/config",
    operationId: "setFcrConfig",
    summary: "Set the FCR parameters",
    body: V1FcrRequest,
    answers: { 200: V1FcrSet },
    answer: setFcrConfig,
  },
];
