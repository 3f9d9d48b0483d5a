import type { FileContent } from "../fileFormat.ts";

/** Supply areas by the name that options and roles have, in the order of the published files. */
const AREAS = {
  hokkaido: "北海道",
  tohoku: "東北",
  tokyo: "東京",
  chubu: "中部",
  hokuriku: "北陸",
  kansai: "関西",
  chugoku: "中国",
  shikoku: "四国",
  kyushu: "九州",
  okinawa: "沖縄",
  national: "全国値",
} as const;
export type Area = keyof typeof AREAS;

const NAMES = new Map<string, Area>(
  Object.entries(AREAS).flatMap(([area, japanese]) => [
    [area, area as Area],
    [japanese, area as Area],
  ]),
);

/** The area of a Japanese or English name; `null` for anything else. */
export const areaOf = (name: string): Area | null => NAMES.get(name.toLowerCase()) ?? null;

/**
 * The area that the option names.
 *
 * @param known areas of the file
 * @returns `undefined` after reporting one that the file does not have, `null` where no area is given
 */
export function chosenArea({ options, problems }: FileContent, known: readonly Area[]): Area | null | undefined {
  if (options.area === undefined) return null;
  const area = areaOf(options.area.trim());
  if (area !== null && known.includes(area)) return area;
  problems.refuse(JSON.stringify(options.area), `an area of this file: ${known.join(", ")}`, "area");
  return undefined;
}
