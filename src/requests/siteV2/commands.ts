import type { Route } from "../route.ts";

/** The rows of the site API 2.2 that change the world. */
export const SITE_V2_COMMANDS: readonly Route[] = [];
