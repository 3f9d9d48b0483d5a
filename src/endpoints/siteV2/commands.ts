import type { Route } from "../route.ts";
import {
  BaselineAnswer,
  BaselineRequest,
  SITE_SCHEDULE_QUERY,
  SiteControlAnswer,
  SiteControlRequest,
  SiteScheduleDeleted,
} from "../schemas/siteV2Commands.ts";
import { deleteSchedule } from "../shared/deleteSchedule.ts";
import { postSiteControl } from "./control.ts";
import { postBaseline } from "./postBaseline.ts";

const COMMAND = {
  api: "site-v2",
  rateBucket: "site",
  isCommand: true,
  isIdempotent: false,
  querySchema: null,
  bodySchema: null,
} as const;

/** The commands of site API 2.2. */
export const SITE_V2_COMMANDS: readonly Route[] = [
  {
    ...COMMAND,
    method: "POST",
    path: "/control/active_power",
    operationId: "controlActivePower",
    summary: "Register a schedule, or instruct at once",
    isIdempotent: true,
    bodySchema: SiteControlRequest,
    checksBody: true,
    answerSchemas: { 200: SiteControlAnswer },
    handle: postSiteControl,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: SITE_SCHEDULE_QUERY,
    answerSchemas: { 200: SiteScheduleDeleted },
    handle: (context, call) => deleteSchedule(context, call, call.query.schedule_id),
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/baseline",
    operationId: "postBaseline",
    summary: "Register baselines of half hours",
    isIdempotent: true,
    bodySchema: BaselineRequest,
    checksBody: true,
    answerSchemas: { 200: BaselineAnswer },
    handle: postBaseline,
  },
];
