/** Exit status of every command (docs/model/report-files.md#exit-status). */
export const EXIT_STATUS = { done: 0, failed: 1, badInput: 2 } as const;
