export const instruct = {} as const;
