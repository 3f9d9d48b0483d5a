import type { Route } from "../route.ts";

/** The rows of the site API 2.2 that change nothing. */
export const SITE_V2_READS: readonly Route[] = [];
