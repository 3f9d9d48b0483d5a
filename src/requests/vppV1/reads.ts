import type { Route } from "../route.ts";

/** The rows of the VPP API 1.4 that change nothing. */
export const VPP_V1_READS: readonly Route[] = [];
