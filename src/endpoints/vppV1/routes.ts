import type { Route } from "../route.ts";
import { VPP_V1_COMMANDS } from "./commands.ts";
import { VPP_V1_READS } from "./reads.ts";

/** The endpoint table of the VPP API 1.4. */
export const VPP_V1_ROUTES: readonly Route[] = [...VPP_V1_READS, ...VPP_V1_COMMANDS];
