import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { BulkTable, PartRows } from "../../accounting/partsRun.ts";
import type { DeferredBlock } from "../../accounting/recorders/mergedTable.ts";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { QueueError } from "./queueNames.ts";

/** What a part returns, compressed: its record with the tables of its blocks, then each block. */
export type PackedPart = readonly Uint8Array[];

interface PartHead extends Pick<PartRows, "ended"> {
  /** One for each block. */
  readonly tables: readonly BulkTable[];
}

/** Rows of energy records compress to a tenth, at any level. */
const LEVEL = 1;

const pack = (value: unknown): Uint8Array => deflateRawSync(serialize(value), { level: LEVEL });

const unpack = (bytes: Uint8Array): unknown => deserialize(inflateRawSync(bytes));

export function packPart({ blocks, ended }: PartRows): PackedPart {
  const head: PartHead = { ended, tables: blocks.map(([table]) => table) };
  return [pack(head), ...blocks.map(([, block]) => pack(block))];
}

/**
 * Blocks stay compressed until their rows are written.
 *
 * @throws QueueError when it is not what a worker of this version returns
 */
export function readPackedPart(part: number, [head, ...blocks]: PackedPart): PartRows<DeferredBlock> {
  const { ended, tables } = readHead(head);
  return {
    part,
    ended,
    blocks: blocks.map((bytes, k) => [tables[k], () => unpack(bytes) as TableBlock]),
  };
}

function readHead(bytes: Uint8Array): PartHead {
  try {
    return unpack(bytes) as PartHead;
  } catch (error) {
    const reason = (error as Error).message;
    throw new QueueError(`a part of the run cannot be read (${reason}); a worker is broken or runs on a newer Node.js`);
  }
}
