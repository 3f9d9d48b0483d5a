import type { OptionName } from "../fileFormat.ts";

/** Options of every table of one's own. */
export const TABLE_OPTIONS: readonly OptionName[] = [
  "columns",
  "units",
  "negate",
  "missing",
  "timezone",
  "encoding",
  "delimiter",
  "decimal",
  "date_order",
];

/** Terms of files whose source is not known. */
export const TABLE_TERMS = "As the source of the file says.";
