import type { Route } from "../route.ts";
import {
  V1_SCHEDULE_QUERY,
  V1ControlAnswer,
  V1ControlRequest,
  V1FcrConfigAnswer,
  V1FcrRequest,
  V1ScheduleDeleted,
} from "../schemas/siteV1Commands.ts";
import { deleteSchedule } from "../shared/deleteSchedule.ts";
import { postPower } from "./control.ts";
import { setFcrConfig } from "./setFcrConfig.ts";

const COMMAND = {
  api: "site-v1",
  rateBucket: "site",
  isCommand: true,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The commands of site API 1.13. */
export const SITE_V1_COMMANDS: readonly Route[] = [
  {
    ...COMMAND,
    method: "POST",
    path: "/control/power",
    operationId: "controlPower",
    summary: "Immediate instruction or schedule",
    bodySchema: V1ControlRequest,
    answerSchemas: { 200: V1ControlAnswer },
    handle: postPower,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: V1_SCHEDULE_QUERY,
    answerSchemas: { 200: V1ScheduleDeleted },
    handle: (context, call) => deleteSchedule(context, call, call.query.id),
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/fcr/config",
    operationId: "setFcrConfig",
    summary: "Set the FCR parameters",
    bodySchema: V1FcrRequest,
    answerSchemas: { 200: V1FcrConfigAnswer },
    handle: setFcrConfig,
  },
];
