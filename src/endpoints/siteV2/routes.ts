import type { Route } from "../route.ts";
import { SITE_V2_COMMANDS } from "./commands.ts";
import { SITE_V2_READS } from "./reads.ts";

/** The endpoint table of the site API 2.2. */
export const SITE_V2_ROUTES: readonly Route[] = [...SITE_V2_READS, ...SITE_V2_COMMANDS];
