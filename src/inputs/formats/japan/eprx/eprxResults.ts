import type { FileContent, FileFormat } from "../../fileFormat.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { type Area, areaOf } from "../areas.ts";
import { EPRX_TERMS, type EprxFile } from "./eprxFile.ts";
import { type EprxScope, readEprxTable } from "./readEprxTable.ts";

/** Parts of a final file. */
const SECTIONS = { system: "システム約定結果", additional: "追加調達結果", total: "合計(確報値)" } as const;
type Section = keyof typeof SECTIONS;

const TOTAL = "total";

/** Results of a product by area: `YYYYMM_<p>_prompt.csv` and `YYYYMM_<p>_result.csv`. */
export const eprxResults: FileFormat = {
  id: "eprx_results",
  title: "EPRX balancing market results by area (YYYYMM_<product>_prompt.csv, _result.csv)",
  terms: EPRX_TERMS,
  options: ["area", "section", "encoding"],
  detect: ({ head }) => (isResultHead(head) ? 1 : 0),
  read: (content) => readEprxResults(content),
};

export const isResultHead = (head: string): boolean =>
  head.includes("電力需給調整力取引所取引結果") && /^TT,(調達区分,)?取引情報,北海道/m.test(head);

/** The quantities of one area, or of all areas together. */
export function readEprxResults(content: FileContent) {
  const section = chosenSection(content);
  if (section === null) return null;
  return readEprxTable(content, {
    scopesOf: (file) => scopeOf(file, content),
    isWanted: (file, { record }) => {
      const index = file.names.indexOf("調達区分");
      return index < 0 || normaliseName(record.cells[index] ?? "") === SECTIONS[section];
    },
  });
}

function chosenSection({ options, problems }: FileContent): Section | null {
  const name = options.section ?? TOTAL;
  if (Object.hasOwn(SECTIONS, name)) return name as Section;
  problems.refuse(JSON.stringify(name), `one of ${Object.keys(SECTIONS).join(", ")}`, "section");
  return null;
}

function scopeOf({ names }: EprxFile, { options, problems }: FileContent): EprxScope[] | null {
  const columns = new Map<Area | typeof TOTAL, number>();
  names.forEach((name, index) => {
    const area = name === "合計" ? TOTAL : areaOf(name);
    if (area !== null) columns.set(area, index);
  });
  const name = options.area?.trim() ?? TOTAL;
  const area = name === TOTAL ? TOTAL : areaOf(name);
  const index = area === null ? undefined : columns.get(area);
  if (index !== undefined) return [{ index, source: names[index], suffix: "" }];
  problems.refuse(JSON.stringify(name), `an area of this file: ${[...columns.keys()].join(", ")}`, "area");
  return null;
}
