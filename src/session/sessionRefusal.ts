/** The session says no to its operator; the sandbox answers with it. */
export class SessionRefusal extends Error {
  override name = "SessionRefusal";
  /** As an HTTP status: 400, 404 or 409. */
  readonly status: 400 | 404 | 409 | 503;
  readonly parameter: string | null;

  /** @param message  what was found and what is allowed */
  constructor(code: 400 | 404 | 409 | 503, message: string, parameter: string | null = null) {
    super(message);
    this.status = code;
    this.parameter = parameter;
  }
}
