import type { ServedScenario } from "../../src/session/servedScenario.ts";
import { Session, type SessionOptions } from "../../src/session/session.ts";
import { tinyServed } from "./tinyScenario.ts";

/** A session of the tiny scenario without a journal; failures are thrown. */
export function openTiny(
  options: Partial<SessionOptions> = {},
  served: ServedScenario = tinyServed(),
): Promise<Session> {
  return Session.open({
    served,
    journal: { file: null, goesOn: true },
    openAtMs: null,
    tokenSecret: null,
    warn: () => {},
    failed: (error) => {
      throw error;
    },
    ...options,
  });
}
