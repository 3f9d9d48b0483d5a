import { createHash } from "node:crypto";
import { readNumericCsv } from "../src/series/readNumericCsv.ts";

/** A year of one-minute values in four columns: `npx tsx bench/readSeries.ts [rows]`. */
const rows = Number(process.argv[2] ?? 525_601);
const columns = ["gen_a", "gen_b", "gen_c", "gen_d"];

function makeFile(): Buffer {
  const lines = [`timestamp,${columns.join(",")}`];
  for (let row = 0; row < rows; row++) {
    const time = `${new Date(1_743_433_200_000 + row * 60_000).toISOString().slice(0, 19)}Z`;
    const values = columns.map((_, k) => (((row * 7919 * (k + 1)) % 999_983) / 1000).toFixed(3));
    lines.push(`${time},${values.join(",")}`);
  }
  return Buffer.from(`${lines.join("\n")}\n`);
}

const content = makeFile();
const startMs = performance.now();
const csv = readNumericCsv(content, { time: "timestamp", columns });
const ms = performance.now() - startMs;
if (!csv.ok) throw new Error(JSON.stringify(csv.problems));
const hash = createHash("sha256");
for (const values of [csv.table.timesMs, ...csv.table.columns]) hash.update(values);
const size = (content.length / 1e6).toFixed(1);
const rate = (content.length / 1e3 / ms).toFixed(0);
console.log(`read: ${rows} rows, ${size} MB, ${ms.toFixed(0)} ms, ${rate} MB/s, ${hash.digest("hex").slice(0, 16)}`);
