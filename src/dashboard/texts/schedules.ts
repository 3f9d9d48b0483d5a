export const schedules = {} as const;
