export { ApiError, ConnectionError, type ErrorObject, type RateLimit } from "./apiError.ts";
export { type ClientOptions, RefreshError } from "./connection.ts";
export { VppClient } from "./vppClient.ts";
