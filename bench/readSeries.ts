/**
 * Reading of a year of one-minute values in four columns, from bytes to arrays.
 *
 * The hash of the numbers read is printed beside the time. Run with `npx tsx bench/readSeries.ts`.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { readNumericCsv } from "../src/engine/series/csv/readNumericCsv.ts";

export interface ReadResult {
  readonly megabytes: number;
  readonly ms: number;
  /** First 16 hex digits of the SHA-256 of times and values as doubles. */
  readonly hash: string;
}

const columns = ["gen_a", "gen_b", "gen_c", "gen_d"];

export function run(rows: number): ReadResult {
  const content = makeFile(rows);
  let ms = Number.POSITIVE_INFINITY;
  let hash = "";
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now();
    const csv = readNumericCsv(content, { time: "timestamp", columns });
    ms = Math.min(ms, performance.now() - startedMs);
    if (!csv.ok) throw new Error(JSON.stringify(csv.problems));
    const sum = createHash("sha256");
    for (const values of [csv.table.timesMs, ...csv.table.columns]) sum.update(values);
    hash = sum.digest("hex").slice(0, 16);
  }
  return { megabytes: content.length / 1e6, ms, hash };
}

function makeFile(rows: number): Buffer {
  const lines = [`timestamp,${columns.join(",")}`];
  for (let row = 0; row < rows; row++) {
    const time = `${new Date(1_743_433_200_000 + row * 60_000).toISOString().slice(0, 19)}Z`;
    const values = columns.map((_, k) => (((row * 7919 * (k + 1)) % 999_983) / 1000).toFixed(3));
    lines.push(`${time},${values.join(",")}`);
  }
  return Buffer.from(`${lines.join("\n")}\n`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { megabytes, ms, hash } = run(525_601);
  console.log(
    `read: ${megabytes.toFixed(1)} MB, ${ms.toFixed(0)} ms, ${((1000 * megabytes) / ms).toFixed(0)} MB/s, ${hash}`,
  );
}
