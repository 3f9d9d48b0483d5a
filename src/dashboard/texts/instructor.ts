export const instructor = {} as const;
