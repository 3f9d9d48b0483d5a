export type {
  SiteEnergyRequest,
  SitePowerRequest,
  VppEnergyRequest,
  VppPowerRequest,
} from "../endpoints/schemas/historyRequests.ts";
export type { SiteControlRequest } from "../endpoints/schemas/siteV2Commands.ts";
export type {
  SiteDetails,
  SitePowerHistory,
  SiteSchedules,
  SiteSpecifications,
  SiteStatus,
} from "../endpoints/schemas/siteV2Reads.ts";
export type { AddMemberRequest, UpdateMemberRequest, VppControlRequest } from "../endpoints/schemas/vppCommands.ts";
export type { VppDetails, VppMembers, VppSchedules, VppStatus } from "../endpoints/schemas/vppReads.ts";
export { ApiError, ConnectionError, type ErrorObject, type RateLimit } from "./apiError.ts";
export { type ClientOptions, RefreshError } from "./connection.ts";
export type * from "./sandboxTypes.ts";
export { type FcrParameters, SiteV1Client } from "./siteV1Client.ts";
export { type BaselineAnswer, type BaselineRequest, SiteV2Client, type Window } from "./siteV2Client.ts";
export { VppClient } from "./vppClient.ts";
