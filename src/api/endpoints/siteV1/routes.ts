import type { Route } from "../route.ts";
import { optional, ReportEnergyRequest, ReportPowerRequest, record, timestamp } from "../schemas/baseSchemas.ts";
import {
  V1_SCHEDULE_QUERY,
  V1ControlAnswer,
  V1ControlRequest,
  V1EnergyReport,
  V1FcrConfig,
  V1FcrConfigAnswer,
  V1FcrRequest,
  V1PowerReport,
  V1ScheduleDeleted,
  V1Schedules,
  V1ServicePlan,
  V1Specifications,
  V1Status,
} from "../schemas/siteV1Schemas.ts";
import { deleteSchedule } from "../shared/siteSchedules.ts";
import { postPower, setFcrConfig } from "./control.ts";
import { answerEnergy, answerPower } from "./reports.ts";
import { answerSchedules } from "./schedules.ts";
import { answerFcrConfig, answerServicePlan, answerSpecifications, answerStatus } from "./state.ts";

const READ = { api: "site-v1", rateBucket: "site", isCommand: false } as const;
const COMMAND = { ...READ, isCommand: true } as const;

/** The endpoint table of the site API 1.13. */
export const SITE_V1_ROUTES: readonly Route[] = [
  {
    ...READ,
    method: "GET",
    path: "/status",
    operationId: "getStatus",
    summary: "State of the whole system",
    answerSchema: V1Status,
    handle: answerStatus,
  },
  {
    ...READ,
    method: "GET",
    path: "/specifications",
    operationId: "getSpecifications",
    summary: "Ratings",
    answerSchema: V1Specifications,
    handle: answerSpecifications,
  },
  {
    ...READ,
    method: "GET",
    path: "/control/schedules",
    operationId: "listSchedules",
    summary: "List the schedules",
    answerSchema: V1Schedules,
    handle: answerSchedules,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/power",
    operationId: "getPowerReport",
    summary: "Power and frequency history",
    bodySchema: ReportPowerRequest,
    answerSchema: V1PowerReport,
    handle: answerPower,
  },
  {
    ...READ,
    method: "POST",
    path: "/report/energy",
    operationId: "getEnergyReport",
    summary: "Cumulative energy",
    bodySchema: ReportEnergyRequest,
    answerSchema: V1EnergyReport,
    handle: answerEnergy,
  },
  {
    ...READ,
    method: "GET",
    path: "/fcr/config",
    operationId: "getFcrConfig",
    summary: "Parameters of the frequency response",
    answerSchema: V1FcrConfig,
    handle: answerFcrConfig,
  },
  {
    ...READ,
    method: "GET",
    path: "/serviceplan",
    operationId: "getServicePlan",
    summary: "Operating plan of 48 half hours",
    querySchema: record({ start_time: optional(timestamp()) }),
    answerSchema: V1ServicePlan,
    handle: answerServicePlan,
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/control/power",
    operationId: "controlPower",
    summary: "Immediate instruction or schedule",
    bodySchema: V1ControlRequest,
    answerSchema: V1ControlAnswer,
    handle: postPower,
  },
  {
    ...COMMAND,
    method: "DELETE",
    path: "/control/schedules",
    operationId: "deleteSchedule",
    summary: "Delete a schedule",
    querySchema: V1_SCHEDULE_QUERY,
    answerSchema: V1ScheduleDeleted,
    handle: (context, call) => deleteSchedule(context, call, call.query.id),
  },
  {
    ...COMMAND,
    method: "POST",
    path: "/fcr/config",
    operationId: "setFcrConfig",
    summary: "Set the FCR parameters",
    bodySchema: V1FcrRequest,
    answerSchema: V1FcrConfigAnswer,
    handle: setFcrConfig,
  },
];
