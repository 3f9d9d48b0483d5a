import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TableBlock } from "../../../src/accounting/recorders/tableBlock.ts";
import { sha256Hex } from "../../../src/base/ids.ts";
import { TableWriteError } from "../../../src/platform/files.ts";
import { FolderSink } from "../../../src/platform/node/folderSink.ts";
import { openLocalTables, type TableStore } from "../../../src/report/tables/localTables.ts";
import { PLAIN_LAYOUT } from "../../../src/report/tables/tableLayout.ts";
import { ThreadTables } from "../../../src/report/tables/threadTables.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

const FORMATS = ["csv", "json", "parquet"] as const;

/** Rows whose values tell their place; the second half of the blocks has other names. */
function blockOf(rowCount: number, first: number): TableBlock {
  const rows = Array.from({ length: rowCount }, (_, k) => first + k);
  const names = first < 5000 ? SITES : [...SITES].reverse();
  return {
    rowCount,
    columns: [
      { name: "start", kind: "instant", values: Float64Array.from([...rows, 7], (row) => 1000 * row) },
      { name: "site", kind: "name", values: Int32Array.from(rows, (row) => row % 3), names },
      { name: "import_kwh", kind: "thousandths", values: Float64Array.from(rows, (row) => 1500 - row) },
      { name: "count", kind: "integer", values: Float64Array.from(rows) },
      { name: "note", kind: "text", values: rows.map((row) => (row % 7 === 0 ? null : `note, ${row}`)) },
    ],
  };
}
const SITES = ["north", "søuth", "east, 2"];

/** Writes two tables in turn, in blocks of different sizes that reuse their arrays. */
async function writeTables(store: TableStore): Promise<readonly (readonly [string, string])[]> {
  const [energy, power] = [store.open("energy"), store.open("power")];
  const sizes = [300, 1, 0, 700, 5000, 40];
  let first = 0;
  for (const size of sizes) {
    const block = blockOf(size, first);
    energy.write(block);
    for (const { kind, values } of block.columns) if (kind !== "text") values.fill(0);
    power.write(blockOf(size + 1, first));
    await store.settle();
    first += size;
  }
  return (await store.close()).digests;
}

describe("a table store in another thread", () => {
  test("writes the bytes of one in this thread", async () => {
    const [here, there] = [createTemporaryFolder("here"), createTemporaryFolder("there")];
    const digests = await writeTables(await openLocalTables(new FolderSink(here), FORMATS));
    expect(await writeTables(new ThreadTables(there, FORMATS, PLAIN_LAYOUT))).toEqual(digests);
    const files = ["energy", "power"].flatMap((stem) =>
      ["csv", "jsonl", "parquet"].map((ending) => `${stem}.${ending}`),
    );
    expect(digests.map(([file]) => file)).toEqual(files);
    expect(readdirSync(there).sort()).toEqual(files);
    for (const [file, digest] of digests) {
      const bytes = readFileSync(join(there, file));
      expect(bytes.equals(readFileSync(join(here, file)))).toBe(true);
      expect(sha256Hex(bytes)).toBe(digest);
    }
  });

  test("an error of a file comes from the next call that waits, and names the file", async () => {
    const folder = join(createTemporaryFolder("tables"), "missing");
    const store = new ThreadTables(folder, ["csv"], PLAIN_LAYOUT);
    const table = store.open("energy");
    table.write(blockOf(10, 0));
    const failure = await store.close().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TableWriteError);
    expect((failure as Error).message).toContain(join(folder, "energy.csv"));
    await store.abort();
  });
});
