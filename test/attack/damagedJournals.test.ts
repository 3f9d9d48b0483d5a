// Journals that a disk damaged: the records before the damage, or words.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { JournalError } from "../../src/live/session/journal/journalRecord.ts";
import { runs, seedOr } from "../depth.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { randomActions } from "../session/randomActions.ts";
import { readJournalAt } from "../session/readJournalAt.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SEED = seedOr(20_260_401);
const random = new RandomStreams(SEED).getStream("damage", "journal");
const below = (limit: number): number => Math.floor(limit * random.nextUniform());

const open = (file: string) => openTinySession({ journal: { file, resumesEnded: true } });

let folder: string;
/** A journal with all kinds of records that a session writes. */
let bytes: Buffer;
let records: readonly string[];
beforeAll(async () => {
  folder = createTemporaryFolder("damaged");
  const file = join(folder, "whole.journal");
  const session = await open(file);
  for (const [k, action] of randomActions(SEED, 60).entries()) {
    await action(session);
    if (k % 20 === 7) await session.addCheckpoint(`after ${k}`);
    if (k === 30) await session.revoke(session.credentials[1].refreshToken);
    if (k === 40) await session.restore(session.checkpoints[0].checkpointId);
  }
  await session.close();
  bytes = readFileSync(file);
  records = recordsIn(file) ?? [];
});

const recordsIn = (file: string): string[] | null => readJournalAt(file)?.records.map(String) ?? null;

/** The records of changed bytes; `null`: refused in words. */
function readChanged(changed: Buffer): string[] | null {
  const file = join(folder, "changed.journal");
  writeFileSync(file, changed);
  try {
    return recordsIn(file) ?? [];
  } catch (error) {
    expect(error).toBeInstanceOf(JournalError);
    return null;
  }
}

describe("a damaged journal", () => {
  const block = (): [number, number] => {
    const start = below(bytes.length);
    return [start, Math.min(bytes.length, start + 1 + below(200))];
  };
  test.each<[string, () => Buffer]>([
    [
      "zeros over a block",
      () => {
        const [start, end] = block();
        return Buffer.from(bytes).fill(0, start, end);
      },
    ],
    [
      "a block missing",
      () => {
        const [start, end] = block();
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
      },
    ],
    [
      "a block twice",
      () => {
        const [start, end] = block();
        return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
      },
    ],
    [
      "two lines exchanged",
      () => {
        const lines = bytes.toString("latin1").trimEnd().split("\n");
        const [one, other] = [1 + below(lines.length - 1), 1 + below(lines.length - 1)];
        [lines[one], lines[other]] = [lines[other], lines[one]];
        return Buffer.from(`${lines.join("\n")}\n`, "latin1");
      },
    ],
  ])("with %s is refused, or has only records that were written", (_, change) => {
    for (let k = 0; k < runs(500, 30); k++) {
      const found = readChanged(change());
      if (found !== null) expect(found).toEqual(records.slice(0, found.length));
    }
  });
});
