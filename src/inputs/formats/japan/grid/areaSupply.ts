import { sumOf } from "../../../../base/lists.ts";
import { MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../../text/headerColumns.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { intervalLabel, JST } from "../../time/localTime.ts";
import { parseClock, parseDate } from "../../time/parseDate.ts";

const DEMAND = "エリア需要";
const TIE_LINES = "連系線";
const TOTAL = "合計";

/** Roles by normalised header. Curtailed output is no part of the total. */
const ROLES: Readonly<Record<string, string>> = {
  [DEMAND]: "demand_mw",
  原子力: "nuclear_mw",
  "火力(LNG)": "thermal_lng_mw",
  "火力(石炭)": "thermal_coal_mw",
  "火力(石油)": "thermal_oil_mw",
  "火力(その他)": "thermal_other_mw",
  火力出力制御量: "thermal_curtailed_mw",
  水力: "hydro_mw",
  地熱: "geothermal_mw",
  バイオマス: "biomass_mw",
  バイオマス出力制御量: "biomass_curtailed_mw",
  太陽光発電実績: "solar_mw",
  太陽光出力制御量: "solar_curtailed_mw",
  風力発電実績: "wind_mw",
  風力出力制御量: "wind_curtailed_mw",
  揚水: "pumping_mw",
  蓄電池: "battery_mw",
  [TIE_LINES]: "tie_lines_mw",
  その他: "other_mw",
  [TOTAL]: "total_mw",
};

/** Half-hourly demand and supply of an area: `eria_jukyu_YYYYMM_AA.csv`. */
export const areaSupply: FileFormat = {
  id: "area_supply",
  title: "Demand and supply of an area, 30 min (eria_jukyu_YYYYMM_<area>.csv)",
  terms: "Grid operator of the area. Some forbid reuse beyond private use; others not verified: do not redistribute.",
  options: ["label", "encoding"],
  detect: ({ head }) => (/^DATE,TIME,エリア需要,原子力/m.test(head) ? 1 : 0),
  read: readAreaSupply,
};

function readAreaSupply(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  const start = table?.findHeader(["DATE", "TIME", DEMAND]) ?? -1;
  if (table === null || start < 0) {
    if (table !== null) file.problems.refuse("no header row", `a row with the columns DATE, TIME and ${DEMAND}`);
    return null;
  }
  const isMeanMw = table.rows.slice(0, start).some(({ cells }) => /\[MW平均\]/.test(normaliseName(cells[0])));
  if (!isMeanMw)
    file.problems.refuse("no line 単位[MW平均]", "a file since 2024 in mean MW; older ones are hourly MWh");
  const header = new HeaderColumns(table, start);
  const columns = header.names.flatMap((name, index): AmountColumn[] =>
    Object.hasOwn(ROLES, name)
      ? [{ index, role: ROLES[name], unit: "MW", source: header.row.cells[index].trim() }]
      : [],
  );
  const rows = table.rows.slice(start + 1).flatMap((row) => {
    const dayMs = parseDate(row.cells[0]);
    const clockMs = parseClock(row.cells[1] ?? "");
    if (isBlankRow(row) || !checkWidth(table, row, header.names.length)) return [];
    if (dayMs === null) table.reportCell(row, 0, "DATE", "a date such as 2026/4/1");
    if (clockMs === null) table.reportCell(row, 1, "TIME", "a time such as 0:30");
    return dayMs === null || clockMs === null ? [] : [{ row, dayMs, clockMs }];
  });
  const clocksMs = rows.map(({ clockMs }) => clockMs);
  const label =
    rows.length === 0 ? "start" : intervalLabel({ clocksMs, stepMs: MS_PER_HALF_HOUR }, file.options, file.problems);
  if (label === null) return null;
  const demand = columns.findIndex(({ role }) => role === ROLES[DEMAND]);
  const values = rows.map(({ row }) => readAmounts(table, row, columns));
  // A row without demand lies in the future; a column without values is a source that the area does not have.
  const isKnown = values.map((row) => !Number.isNaN(row[demand]));
  const present = columns.map((_, k) => values.some((row) => !Number.isNaN(row[k])));
  const builder = new TableBuilder(columns.filter((_, k) => present[k]));
  const sign = tieLineSign(
    columns,
    values.filter((_, k) => isKnown[k]),
  );
  const tieLines = columns.findIndex(({ role }) => role === ROLES[TIE_LINES]);
  rows.forEach(({ row, dayMs, clockMs }, k) => {
    if (!isKnown[k]) return;
    const startMs = JST.instantsOf(dayMs + clockMs - (label === "end" ? MS_PER_HALF_HOUR : 0))[0];
    const signed = values[k].map((value, column) => (column === tieLines ? sign * value + 0 : value));
    builder.add(
      startMs,
      signed.filter((_, column) => present[column]),
      row.line,
    );
  });
  builder.notes.push(`times are ${label}s of intervals`);
  if (sign < 0)
    builder.notes.push("tie lines are printed with export positive, by the sum of the sources; the sign is turned");
  return builder.build(file.problems, MS_PER_HALF_HOUR);
}

/** −1 where the sources add up to the printed total only with tie lines as export (docs/model/formats.md#area-supply). */
function tieLineSign(columns: readonly AmountColumn[], rows: readonly (readonly number[])[]): 1 | -1 {
  const indexOf = (name: string) => columns.findIndex(({ role }) => role === ROLES[name]);
  const [demand, tieLines, total] = [indexOf(DEMAND), indexOf(TIE_LINES), indexOf(TOTAL)];
  if (tieLines < 0 || total < 0) return 1;
  const isSource = columns.map(({ role }, k) => k !== demand && k !== total && !role.includes("curtailed"));
  const deviation = (sign: number): number =>
    rows.reduce((sum, row) => {
      const sources = row.map((value, k) =>
        !isSource[k] || Number.isNaN(value) ? 0 : k === tieLines ? sign * value : value,
      );
      return sum + Math.abs(sumOf(sources) - row[total]);
    }, 0);
  return deviation(-1) < deviation(1) ? -1 : 1;
}
