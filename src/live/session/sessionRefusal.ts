import { type EpochMs, isoUtc } from "../../base/time.ts";

/** Refusal of an operator's request; the sandbox answers with it. */
export class SessionRefusal extends Error {
  override name = "SessionRefusal";
  /** HTTP status. */
  readonly status: 400 | 403 | 404 | 409 | 503;
  readonly parameter: string | null;

  /** @param message  what was found and what is allowed */
  constructor(code: 400 | 403 | 404 | 409 | 503, message: string, parameter: string | null = null) {
    super(message);
    this.status = code;
    this.parameter = parameter;
  }
}

/** Why the clock does not go on. */
export const scenarioEnded = (endMs: EpochMs): string =>
  `The session has ended: the scenario's end is ${isoUtc(endMs)}; a reset or a checkpoint leads back`;
