import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";

const AMOUNT_PATTERN = "(\\d+(?:\\.\\d+)?)";
const DURATION_PATTERN = new RegExp(
  `^P(?:${AMOUNT_PATTERN}W|(?:${AMOUNT_PATTERN}D)?(?:T(?=\\d)(?:${AMOUNT_PATTERN}H)?(?:${AMOUNT_PATTERN}M)?(?:${AMOUNT_PATTERN}S)?)?)$`,
);

/**
 * ISO 8601 duration of weeks, or of days, hours, minutes and seconds (`P60D`, `PT90S`, `P1DT12H`, `P2W`).
 *
 * Years and months have no fixed length and are refused. (Instants: series/csv/parseInstant.ts.)
 *
 * @returns milliseconds, rounded to whole ones, or `null`
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (match === null || text === "P") return null;
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return Math.round(
    (7 * Number(weeks) + Number(days)) * MS_PER_DAY +
      Number(hours) * MS_PER_HOUR +
      Number(minutes) * MS_PER_MINUTE +
      Number(seconds) * MS_PER_SECOND,
  );
}
