export { ApiError, ConnectionError, type ErrorObject, type RateLimit } from "./apiError.ts";
export { type ClientOptions, RefreshError } from "./connection.ts";
export { type FcrParameters, SiteV1Client } from "./siteV1Client.ts";
export { type BaselineAnswer, type BaselineRequest, SiteV2Client, type Window } from "./siteV2Client.ts";
export { VppClient } from "./vppClient.ts";
