/** What a reader may learn: `everything`, as a report has it, or what an operator can have noticed (docs/model/sandbox.md#noticed). */
export type ReaderView = "everything" | "noticed";
