/** A client's request to continue a session (docs/model/sandbox.md#telemetry-resumption). */
export interface Resumption {
  /** `session` of the last hello. */
  readonly session: string;
  /** The last number that the client has received. */
  readonly lastSeq: number;
}

/** Why the query of a resumption is invalid. */
interface ResumptionFault {
  readonly parameter: "session" | "last_seq";
  readonly details: string;
}

/**
 * Reads the parameters `session` and `last_seq` of a URL.
 *
 * @returns `null` without both of them
 */
export function readResumption(url: string): Resumption | ResumptionFault | null {
  const at = url.indexOf("?");
  const query = new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
  const [sessions, numbers] = [query.getAll("session"), query.getAll("last_seq")];
  if (sessions.length === 0 && numbers.length === 0) return null;
  if (sessions.length !== 1 || !SESSION.test(sessions[0]))
    return { parameter: "session", details: "session must be given once: the session of the last hello message" };
  if (numbers.length !== 1 || !WHOLE_NUMBER.test(numbers[0]))
    return { parameter: "last_seq", details: "last_seq must be given once: the last seq that was received, or 0" };
  return { session: sessions[0], lastSeq: Number(numbers[0]) };
}

const SESSION = /^[0-9a-f]{24}$/;
const WHOLE_NUMBER = /^\d{1,15}$/;
