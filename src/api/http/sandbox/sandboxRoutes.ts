import { CLOCK_ROUTES } from "./clockRoutes.ts";
import { DRILL_ROUTES } from "./drillRoutes.ts";
import { RESULT_ROUTES, TRAINING_ROUTES } from "./resultRoutes.ts";
import type { SandboxRoute } from "./sandboxRoute.ts";
import { SESSION_ROUTES } from "./sessionRoutes.ts";

/** The route table of the sandbox. */
export const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  ...SESSION_ROUTES,
  ...TRAINING_ROUTES,
  ...DRILL_ROUTES,
  ...CLOCK_ROUTES,
  ...RESULT_ROUTES,
];

/** Message of each error status. */
export const SANDBOX_MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Sandbox token missing or wrong",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  413: "Payload too large",
  415: "Unsupported media type",
  500: "Internal error",
  503: "Service unavailable",
};
