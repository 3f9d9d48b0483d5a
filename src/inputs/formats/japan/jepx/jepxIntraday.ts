import type { FileFormat } from "../../fileFormat.ts";
import type { AmountColumn } from "../../text/headerColumns.ts";
import { readSlotRows } from "../slotRows.ts";
import { JEPX_TERMS } from "./jepxTerms.ts";

const PRICE_LIMITS = { minimum: -999.99, maximum: 999.99 } as const;

const COLUMNS = [
  { source: "平均(円/kWh)", role: "price_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "始値(円/kWh)", role: "open_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "高値(円/kWh)", role: "high_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "安値(円/kWh)", role: "low_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "終値(円/kWh)", role: "close_jpy_per_kwh", unit: "JPY/kWh", ...PRICE_LIMITS },
  { source: "約定量合計(kWh)", role: "traded_kwh", unit: "kWh", minimum: 0 },
  { source: "約定件数", role: "trades", unit: "", minimum: 0 },
] as const;

/** Intraday results of JEPX: one row for the whole country and slot; a slot without a trade has no prices. */
export const jepxIntraday: FileFormat = {
  id: "jepx_intraday",
  title: "JEPX intraday prices and volumes (intraday_YYYY.csv)",
  terms: JEPX_TERMS,
  options: ["encoding"],
  detect: ({ head }) => (head.includes("年月日,時刻コード,始値(円/kWh)") ? 1 : 0),
  read: (file) =>
    readSlotRows(file, {
      dateNames: ["年月日"],
      slotName: "時刻コード",
      columnsOf: (header) =>
        COLUMNS.map((column): AmountColumn => ({ ...column, index: header.require(column.source) })),
    }),
};
