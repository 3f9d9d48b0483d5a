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

const common = { api: "site-v2", bucket: "site", command: true, idempotent: false, query: null, body: null } as const;

/** The rows of the site API 2.2 that change the world. */
export const SITE_V2_COMMANDS: readonly Route[] = [
  {
    ...common,
    method: "POST",
    path: "/control/active_power",
    operationId: "controlActivePower",
    summary: "Register a schedule, or instruct at once",
    idempotent: true,
    body: SiteControlRequest,
    checksBody: true,
    answers: { 200: SiteControlAnswer },
    answer: postSiteControl,
  },
  {
    ...common,
    method: "DELETE",
    path: "/control/active_power/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    query: SITE_SCHEDULE_QUERY,
    answers: { 200: SiteScheduleDeleted },
    answer: (context, call) => deleteSchedule(context, call, call.query.schedule_id),
  },
  {
    ...common,
    method: "POST",
    path: "/baseline",
    operationId: "postBaseline",
    summary: "Register baselines of half hours",
    idempotent: true,
    body: BaselineRequest,
    answers: { 200: BaselineAnswer },
    answer: postBaseline,
  },
];
