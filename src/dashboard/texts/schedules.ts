/** The page of schedules. */
export const schedules = {} as const;
