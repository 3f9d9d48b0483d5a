import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Block } from "../src/record/block.ts";
import { CsvTable } from "../src/report/tables/csvTable.ts";
import { JsonLinesTable } from "../src/report/tables/jsonLinesTable.ts";
import { ParquetTable } from "../src/report/tables/parquetTable.ts";
import type { Table } from "../src/report/tables/table.ts";

/** Half-hour energy records of 100 sites over a year, 14 columns: `npx tsx bench/tables.ts [intervals]`. */
const SITES = 100;
const BLOCK_INTERVALS = 48;
const intervals = Number(process.argv[2] ?? 17_520);

const names = Array.from({ length: SITES }, (_, k) => `site-${k + 1}`);
const kinds = ["battery", "pv"];

/** One block for all: a block's arrays are reused anyway, and filling them should not be what is measured. */
function fill(block: Block, firstInterval: number): Block {
  for (const column of block.columns) {
    if (column.kind !== "instant") continue;
    const offset = column.name === "start" ? 0 : 1;
    for (let row = 0; row < block.rowCount; row++) {
      column.values[row] = (firstInterval + Math.floor(row / SITES) + offset) * 1_800_000 + 1_743_433_200_000;
    }
  }
  return block;
}

function makeBlock(): Block {
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

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex").slice(0, 16);
}

async function measure(title: string, path: string, open: (path: string) => Table): Promise<void> {
  const block = makeBlock();
  const startMs = performance.now();
  const table = open(path);
  for (let k = 0; k < intervals; k += BLOCK_INTERVALS) table.write(fill(block, k));
  table.close();
  const seconds = (performance.now() - startMs) / 1000;
  const rows = Math.ceil(intervals / BLOCK_INTERVALS) * block.rowCount;
  const megabytes = statSync(path).size / 1e6;
  const rate = (rows / seconds / 1e6).toFixed(2);
  const hash = await sha256OfFile(path);
  console.log(`${title}: ${rows} rows, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(2)} s, ${rate} M rows/s, ${hash}`);
}

const folder = mkdtempSync(join(tmpdir(), "tables-"));
try {
  await measure("csv", join(folder, "energy.csv"), (path) => new CsvTable(path));
  await measure("json", join(folder, "energy.jsonl"), (path) => new JsonLinesTable(path));
  await measure("parquet", join(folder, "energy.parquet"), (path) => new ParquetTable(path));
} finally {
  rmSync(folder, { recursive: true });
}
