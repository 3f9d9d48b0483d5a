import type { Route } from "../route.ts";
import { SITE_V1_COMMANDS } from "./commands.ts";
import { SITE_V1_READS } from "./reads.ts";

/** The endpoint table of the site API 1.13. */
export const SITE_V1_ROUTES: readonly Route[] = [...SITE_V1_READS, ...SITE_V1_COMMANDS];
