// What the examples of docs/pandas.md print, computed another way: by DuckDB from the same CSV files.
import { DuckDBInstance } from "@duckdb/node-api";

/** Start of an interval in Tokyo, from the text of a CSV file. */
const LOCAL = "strptime(start, '%Y-%m-%dT%H:%M:%SZ') + INTERVAL 9 HOUR";
const text = (file: string): string => `read_csv('${file}', all_varchar = true)`;

/** The rows that stand at the end of each printed table, in the order of the page. */
export const SAME_BY_SQL: readonly string[] = [
  `PIVOT (SELECT hour(${LOCAL}) AS hour, day(${LOCAL}) AS day, import_kwh::DOUBLE - export_kwh::DOUBLE AS kwh
          FROM ${text("reports/now/energy.csv")} WHERE site IN ('川崎蓄電所', 'chiba') AND hour(${LOCAL}) IN (3, 7, 12, 18))
   ON day IN (1, 2, 3, 4, 5, 6) USING sum(kwh) GROUP BY hour ORDER BY hour`,
  `SELECT requested_kwh::DOUBLE, shortfall_kwh::DOUBLE, penalty_jpy::DOUBLE, margin_jpy::DOUBLE
   FROM ${text("reports/now/awards.csv")} WHERE penalty_jpy != '' ORDER BY penalty_jpy::DOUBLE DESC LIMIT 5`,
  `SELECT sum(i), sum(e), sum(i * p), sum(e * p), sum(i * p) / sum(i), nullif(sum(e * p), 0) / nullif(sum(e), 0)
   FROM (SELECT site, import_kwh::DOUBLE AS i, export_kwh::DOUBLE AS e, price_jpy_per_kwh::DOUBLE AS p
         FROM ${text("reports/now/energy.csv")} JOIN ${text("price.csv")} ON start = timestamp)
   WHERE site IN ('chiba', 'factory') GROUP BY site ORDER BY site`,
  `SELECT sum(amount_jpy::DOUBLE) FROM ${text("reports/now/invoice.csv")} WHERE counterparty NOT IN ('memo', 'total')
   GROUP BY ROLLUP ((counterparty, item)) ORDER BY grouping(item), counterparty, item`,
];

/** Rows of a query about files of a folder. */
export async function rowsOf(sql: string, folder: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`SET file_search_path = '${folder}'`);
  const { columnNames, rows } = await connection
    .runAndReadAll(sql)
    .then((reader) => ({ columnNames: reader.columnNames(), rows: reader.getRows() }));
  connection.closeSync();
  return [columnNames, ...rows];
}

/** Numbers of the last lines of a printed table. */
export const lastNumbers = (printed: string, lines: number): number[] =>
  printed
    .trimEnd()
    .split("\n")
    .slice(-lines)
    .flatMap((line) => line.split(/\s+/).filter((word) => /^(-?[\d,]+(\.\d+)?|NaN)$/.test(word)))
    .map((word) => Number(word.replaceAll(",", "")));
