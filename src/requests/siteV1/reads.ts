import type { Route } from "../route.ts";

/** The rows of the site API 1.13 that change nothing. */
export const SITE_V1_READS: readonly Route[] = [];
