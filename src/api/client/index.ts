/**
 * Clients of the three APIs and of the sandbox, with the types of what they send and get.
 *
 * @module vppsim/client
 */
export type {
  SiteEnergyRequest,
  SitePowerRequest,
  VppEnergyRequest,
  VppPowerRequest,
} from "../endpoints/schemas/baseSchemas.ts";
export type {
  SiteControlRequest,
  SiteDetails,
  SitePowerHistory,
  SiteSchedules,
  SiteSpecifications,
  SiteStatus,
} from "../endpoints/schemas/siteV2Schemas.ts";
export type {
  AddMemberRequest,
  UpdateMemberRequest,
  VppControlRequest,
  VppDetails,
  VppMembers,
  VppSchedules,
  VppStatus,
} from "../endpoints/schemas/vppSchemas.ts";
export { ApiError, ConnectionError, type ErrorObject, type RateLimit } from "./apiError.ts";
export { type ClientOptions, RefreshError } from "./connection.ts";
export type * from "./sandboxTypes.ts";
export { type FcrParameters, SiteV1Client } from "./siteV1Client.ts";
export { type BaselineAnswer, type BaselineRequest, SiteV2Client, type Window } from "./siteV2Client.ts";
export { VppClient } from "./vppClient.ts";
