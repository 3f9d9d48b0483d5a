import type { Session } from "../../src/live/session/session.ts";

/** The session until now as one text. */
export const exportYaml = (session: Session): string => [...session.exportParts()].join("");
