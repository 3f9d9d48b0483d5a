/** The report of the session. */
export const report = {} as const;
