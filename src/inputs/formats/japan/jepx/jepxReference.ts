import type { FileContent, FileFormat } from "../../fileFormat.ts";
import type { AmountColumn, HeaderColumns } from "../../text/headerColumns.ts";
import { type Area, areaOf, chosenArea } from "../areas.ts";
import { readSlotRows } from "../slotRows.ts";
import { JEPX_TERMS, PRICE_LIMITS } from "./jepxTerms.ts";

const PRICES = [
  { pattern: /^回避可能原価(.+)\(円\/kWh\)$/, stem: "avoidable_cost" },
  { pattern: /^FIP参照価格\(卸電力取引市場分\)(.+)\(円\/kWh\)$/, stem: "fip_reference" },
] as const;

/** Avoidable costs and FIP reference prices: by area and for the whole country (area national). */
export const jepxReference: FileFormat = {
  id: "jepx_fit_fip",
  title: "JEPX avoidable cost and FIP reference price (fit_fip_YYYY.csv)",
  terms: JEPX_TERMS,
  options: ["area", "encoding"],
  detect: ({ head }) => (/^年月日,時刻コード,回避可能原価/m.test(head) ? 1 : 0),
  read: (file) =>
    readSlotRows(file, {
      dateNames: ["年月日"],
      slotName: "時刻コード",
      columnsOf: (header) => columnsOf(file, header),
    }),
};

function columnsOf(file: FileContent, header: HeaderColumns): AmountColumn[] | null {
  const found = header.names.flatMap((source, index) =>
    PRICES.flatMap(({ pattern, stem }) => {
      const area = areaOf(pattern.exec(source)?.[1] ?? "");
      return area === null ? [] : [{ source, index, stem, area }];
    }),
  );
  const area = chosenArea(file, [...new Set<Area>(found.map((column) => column.area))]);
  if (area === undefined) return null;
  return found
    .filter((column) => area === null || column.area === area)
    .map(({ source, index, stem, area: own }): AmountColumn => {
      const role = area === null ? `${stem}_${own}_jpy_per_kwh` : `${stem}_jpy_per_kwh`;
      return { source, index, role, unit: "JPY/kWh", ...PRICE_LIMITS };
    });
}
