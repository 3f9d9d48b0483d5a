import type { Route } from "../route.ts";

/** The rows of the site API 1.13 that change the world. */
export const SITE_V1_COMMANDS: readonly Route[] = [];
