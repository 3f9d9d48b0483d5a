/**
 * Writing of half-hour energy records of 100 sites over a year, 14 columns, in each table format.
 *
 * The hash of the file is printed beside the time. Run with `npx tsx bench/tables.ts`.
 */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TableBlock } from "../src/accounting/recorders/tableBlock.ts";
import { FolderSink } from "../src/platform/node/folderSink.ts";
import { ParquetTableWriter } from "../src/report/tables/parquetTableWriter.ts";
import type { TableWriter } from "../src/report/tables/tableFile.ts";
import { TableFile } from "../src/report/tables/tableFile.ts";
import { CsvTableWriter, JsonLinesTableWriter } from "../src/report/tables/textTableWriter.ts";

export interface TableResult {
  readonly format: string;
  readonly rows: number;
  readonly megabytes: number;
  readonly seconds: number;
  /** First 16 hex digits of the SHA-256 of the file. */
  readonly hash: string;
}

const SITES = 100;
const BLOCK_INTERVALS = 48;

const names = Array.from({ length: SITES }, (_, k) => `site-${k + 1}`);
const kinds = ["battery", "pv"];

/** One block for all tables, so that filling it is not measured. */
function fill(block: TableBlock, firstInterval: number): TableBlock {
  for (const column of block.columns) {
    if (column.kind !== "instant") continue;
    const offset = column.name === "start" ? 0 : 1;
    for (let row = 0; row < block.rowCount; row++) {
      column.values[row] = (firstInterval + Math.floor(row / SITES) + offset) * 1_800_000 + 1_743_433_200_000;
    }
  }
  return block;
}

function makeBlock(): TableBlock {
  const rowCount = SITES * BLOCK_INTERVALS;
  const name = (list: readonly string[]) => Int32Array.from({ length: rowCount }, (_, row) => row % list.length);
  const kwh = (step: number) =>
    Float64Array.from({ length: rowCount }, (_, row) =>
      row % 5 === 0 && step > 7 ? Number.NaN : ((row * 7919 * step) % 900_001) - 300_000,
    );
  return {
    rowCount,
    columns: [
      { name: "start", kind: "instant", values: new Float64Array(rowCount) },
      { name: "end", kind: "instant", values: new Float64Array(rowCount) },
      { name: "site", kind: "name", values: name(names), names },
      { name: "resource_type", kind: "name", values: name(kinds), names: kinds },
      ...Array.from({ length: 9 }, (_, k) => ({
        name: `c${k}_kwh`,
        kind: "thousandths" as const,
        values: kwh(k + 1),
      })),
      { name: "in_service", kind: "integer", values: new Float64Array(rowCount).fill(1) },
    ],
  };
}

/** @param intervals  half hours, in whole days */
export function run(intervals: number): TableResult[] {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-tables-"));
  const staging = new FolderSink(folder);
  try {
    return [
      measure("csv", intervals, new CsvTableWriter(new TableFile(staging, "energy.csv")), join(folder, "energy.csv")),
      measure(
        "json",
        intervals,
        new JsonLinesTableWriter(new TableFile(staging, "energy.jsonl")),
        join(folder, "energy.jsonl"),
      ),
      measure(
        "parquet",
        intervals,
        new ParquetTableWriter(new TableFile(staging, "energy.parquet")),
        join(folder, "energy.parquet"),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(format: string, intervals: number, table: TableWriter, path: string): TableResult {
  const block = makeBlock();
  const startedMs = performance.now();
  for (let k = 0; k < intervals; k += BLOCK_INTERVALS) table.write(fill(block, k));
  table.close();
  const seconds = (performance.now() - startedMs) / 1000;
  const rows = Math.ceil(intervals / BLOCK_INTERVALS) * block.rowCount;
  return { format, rows, megabytes: statSync(path).size / 1e6, seconds, hash: table.digests[0][1].slice(0, 16) };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { format, rows, megabytes, seconds, hash } of run(Number(process.argv[2] ?? 17_520))) {
    const rate = (rows / seconds / 1e6).toFixed(2);
    console.log(
      `${format}: ${rows} rows, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(2)} s, ${rate} M rows/s, ${hash}`,
    );
  }
}
