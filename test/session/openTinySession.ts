import type { ServedScenario } from "../../src/live/session/servedScenario.ts";
import { Session } from "../../src/live/session/session.ts";
import type { SessionOptions } from "../../src/live/session/sessionOptions.ts";
import { tinyServedScenario } from "./tinyScenario.ts";

/** A session of the tiny scenario without a journal and without threads; failures are thrown. */
export function openTinySession(
  options: Partial<SessionOptions> = {},
  served: ServedScenario = tinyServedScenario(),
): Promise<Session> {
  return Session.open({
    served,
    journal: { file: null, resumesEnded: true },
    openAtMs: null,
    tokenSecret: null,
    warn: () => {},
    onFailure: (error) => {
      throw error;
    },
    longTasks: "here",
    ...options,
  });
}
