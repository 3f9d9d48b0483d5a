import type { Route } from "../route.ts";

/** The rows of the VPP API 1.4 that change the world. */
export const VPP_V1_COMMANDS: readonly Route[] = [];
