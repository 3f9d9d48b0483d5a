/** The code of an error of Node, such as `ENOENT`; `undefined`: it has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined;
