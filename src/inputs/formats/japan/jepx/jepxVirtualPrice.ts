import type { FileFormat } from "../../fileFormat.ts";
import type { AmountColumn, HeaderColumns } from "../../text/headerColumns.ts";
import { readSlotRows } from "../slotRows.ts";
import { JEPX_TERMS } from "./jepxTerms.ts";

const VOLUME = /^(売|買)(\d+)MW$/;
/** The source does not state whether a cell is a price or a price change, so both signs are allowed. */
const LIMITS = { minimum: -999.99, maximum: 999.99 } as const;

const AS_PRINTED = "values beside the system price are as printed: the file does not say whether they are differences";

/** System prices with additional bids of given volumes: `virtualprice_diff_YYYY.csv`. */
export const jepxVirtualPrice: FileFormat = {
  id: "jepx_virtual_price",
  title: "JEPX system prices with further bids (virtualprice_diff_YYYY.csv)",
  terms: JEPX_TERMS,
  options: ["encoding"],
  detect: ({ head }) => (/^年月日,時刻コード,システムプライス[^,\n]*,(売|買)\d+MW/m.test(head) ? 1 : 0),
  read: (file) => {
    const table = readSlotRows(file, { dateNames: ["年月日"], slotName: "時刻コード", columnsOf });
    return table === null ? null : { ...table, notes: [...table.notes, AS_PRINTED] };
  },
};

function columnsOf(header: HeaderColumns): AmountColumn[] {
  const system = header.require("システムプライス");
  const unit = "JPY/kWh";
  return [
    { index: system, source: "システムプライス", role: "system_price_jpy_per_kwh", unit, ...LIMITS, minimum: 0 },
    ...header.names.flatMap((source, index): AmountColumn[] => {
      const [, side, megawatts] = VOLUME.exec(source) ?? [];
      if (side === undefined) return [];
      return [
        { index, source, role: `${side === "売" ? "sell" : "buy"}_${megawatts}_mw_jpy_per_kwh`, unit, ...LIMITS },
      ];
    }),
  ];
}
