import type { FileContent, FileFormat } from "../../fileFormat.ts";
import type { AmountColumn, HeaderColumns } from "../../text/headerColumns.ts";
import { type Area, areaOf, chosenArea } from "../areas.ts";
import { readSlotRows } from "../slotRows.ts";
import { JEPX_TERMS, PRICE_LIMITS } from "./jepxTerms.ts";

const AREA_PRICE = /^エリアプライス(.+)\(円\/kWh\)$/;

/** Other columns by their normalised header. */
const COLUMNS: Readonly<Record<string, { readonly role: string; readonly unit: string }>> = {
  "システムプライス(円/kWh)": { role: "system_price_jpy_per_kwh", unit: "JPY/kWh" },
  "売り入札量(kWh)": { role: "sell_bids_kwh", unit: "kWh" },
  "買い入札量(kWh)": { role: "buy_bids_kwh", unit: "kWh" },
  "約定総量(kWh)": { role: "cleared_kwh", unit: "kWh" },
  "売りブロック入札総量(kWh)": { role: "sell_block_bids_kwh", unit: "kWh" },
  "売りブロック約定総量(kWh)": { role: "sell_block_cleared_kwh", unit: "kWh" },
  "買いブロック入札総量(kWh)": { role: "buy_block_bids_kwh", unit: "kWh" },
  "買いブロック約定総量(kWh)": { role: "buy_block_cleared_kwh", unit: "kWh" },
  "スポット・時間前平均価格(円/kWh)": { role: "spot_intraday_mean_jpy_per_kwh", unit: "JPY/kWh" },
};

/** Day-ahead results of JEPX: `spot_summary_YYYY.csv`, and the older `spot_YYYY.csv`. */
export const jepxSpot: FileFormat = {
  id: "jepx_spot",
  title: "JEPX day-ahead prices and volumes (spot_summary_YYYY.csv, spot_YYYY.csv)",
  terms: JEPX_TERMS,
  options: ["area", "encoding"],
  detect: ({ head }) => (/(受渡日|年月日),時刻コード/.test(head) && head.includes("エリアプライス") ? 1 : 0),
  read: (file) =>
    readSlotRows(file, {
      dateNames: ["受渡日", "年月日"],
      slotName: "時刻コード",
      columnsOf: (header) => columnsOf(file, header),
    }),
};

function columnsOf(file: FileContent, header: HeaderColumns): AmountColumn[] | null {
  const areas = new Map<Area, number>();
  header.names.forEach((name, index) => {
    const area = areaOf(AREA_PRICE.exec(name)?.[1] ?? "");
    if (area !== null) areas.set(area, header.find(name) < 0 ? -1 : index);
  });
  if (areas.size === 0) {
    file.problems.refuse("no area prices", "columns such as エリアプライス東京(円/kWh)");
    return null;
  }
  const area = chosenArea(file, [...areas.keys()]);
  if (area === undefined) return null;
  const prices = [...areas]
    .filter(([name]) => area === null || area === name)
    .map(([name, index]): AmountColumn => {
      const role = area === null ? `price_${name}_jpy_per_kwh` : "price_jpy_per_kwh";
      return { index, role, unit: "JPY/kWh", source: header.names[index], ...PRICE_LIMITS };
    });
  const others = Object.entries(COLUMNS)
    .map(([source, what]): AmountColumn => ({ index: header.find(source), source, ...what, minimum: 0 }))
    .filter(({ index }) => index >= 0);
  return [...prices, ...others];
}
