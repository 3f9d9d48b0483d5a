/** Exit status of every command (interfaces.md). */
export const EXIT_STATUS = { done: 0, failed: 1, badInput: 2 } as const;
