import { stringify } from "csv-stringify/sync";
import { assert } from "../../base/assert.ts";
import { utf8Bytes } from "../../base/bytes.ts";
import { toThousandths } from "../../base/rounding.ts";
import {
  CELL_BYTES_MAX,
  createByteBuffer,
  writeInstant,
  writeThousandths,
} from "../../report/tables/numberEncoding.ts";
import { sampleCount, type TimeGrid } from "./timeGrid.ts";

const COMMA = 44;
const LINE_FEED = 10;

/** CSV of series over one grid: `timestamp` in UTC, then a column per name, three decimals. */
export function seriesCsv(grid: TimeGrid, columns: ReadonlyMap<string, Float64Array>): Uint8Array {
  const rowCount = sampleCount(grid);
  for (const [name, { length }] of columns)
    assert(length === rowCount, () => `column ${name} has a value for each of ${rowCount} instants, not ${length}`);
  const header = utf8Bytes(`${["timestamp", ...columns.keys()].join(",")}\n`);
  const buffer = createByteBuffer(header.length + rowCount * CELL_BYTES_MAX * (1 + columns.size));
  const values = [...columns.values()];
  buffer.bytes.set(header);
  let at = header.length;
  for (let row = 0; row < rowCount; row++) {
    at = writeInstant(buffer.bytes, at, grid.startMs + row * grid.stepMs);
    for (const column of values) {
      buffer.bytes[at++] = COMMA;
      at = writeThousandths(buffer, at, toThousandths(column[row]));
    }
    buffer.bytes[at++] = LINE_FEED;
  }
  return buffer.bytes.subarray(0, at);
}

/** CSV of rows of text; for lists such as awards and events. */
export const rowsCsv = (header: readonly string[], rows: readonly (readonly string[])[]): Uint8Array =>
  utf8Bytes(stringify([header, ...rows] as string[][]));
