import type { OptionName } from "../fileFormat.ts";

/** Options of all tables in a format of the user. */
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
  "slot_minutes",
];

/** Terms of files from an unknown source. */
export const TABLE_TERMS = "As the source of the file says.";
