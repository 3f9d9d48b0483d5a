// Journals that a disk damaged, and journals that somebody wrote: the records before the damage, or words.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeLine, PLAIN_FRAME } from "../../src/base/checkedLine.ts";
import { RandomStreams } from "../../src/kernel/randomStreams.ts";
import { JournalError } from "../../src/session/journal/journalError.ts";
import { runs, seedOr } from "../depth.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { randomActions } from "../session/randomActions.ts";
import { readJournalAt } from "../session/readJournalAt.ts";
import { END_MS, START_MS } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SEED = seedOr(20_260_401);
const random = new RandomStreams(SEED).getStream("damage", "journal");
const below = (limit: number): number => Math.floor(limit * random.nextUniform());
const pick = <T>(items: readonly T[]): T => items[below(items.length)];

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
  test("cut at any place has the complete records", () => {
    for (let k = 0; k < runs(2_000, 100); k++) {
      const length = below(bytes.length + 1);
      const whole = bytes.subarray(0, length).toString("latin1").split("\n").length - 2;
      expect(readChanged(bytes.subarray(0, length))).toEqual(records.slice(0, Math.max(0, whole)));
    }
  });

  test("with a changed bit is refused, or has lost its last record alone", () => {
    for (let k = 0; k < runs(2_000, 100); k++) {
      const changed = Buffer.from(bytes);
      const at = below(bytes.length);
      changed[at] ^= 1 << below(8);
      // Without its line end the last record is incomplete, as after a crash.
      expect(readChanged(changed), `bit at ${at}`).toEqual(at === bytes.length - 1 ? records.slice(0, -1) : null);
    }
  });

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

/** Values that a record of vppsim never has somewhere. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e300,
  -1e300,
  Number.MAX_SAFE_INTEGER,
  8.64e15,
  "",
  "x".repeat(10_000),
  "__proto__",
  "constructor",
  "\0",
  [],
  {},
  [[[[]]]],
  { toString: 1 },
  { valueOf: null, length: -1 },
];

type Json = { [key: string]: unknown };

/** Changes one place of a record: another value, no value, or a key of the prototype. */
function forge(record: Json): Json {
  const forged = structuredClone(record);
  let place = forged;
  for (let depth = below(4); depth > 0; depth--) {
    const inner = Object.values(place).filter((value): value is Json => typeof value === "object" && value !== null);
    if (inner.length === 0) break;
    place = pick(inner);
  }
  const key = pick([...Object.keys(place), "kind", "at_ms", "extra"]);
  const kind = below(4);
  if (kind === 0) delete place[key];
  else if (kind === 1) Object.defineProperty(place, "__proto__", { value: pick(STRANGE), enumerable: true });
  else place[key] = pick(STRANGE);
  return forged;
}

/** Kinds that the recorded journal need not have. */
const FURTHER: readonly Json[] = [
  { kind: "reset" },
  { kind: "note", text: "x" },
  { kind: "action", action: "x", text: "x" },
  { kind: "fault_end", fault_id: "fault-1" },
  { kind: "fault", fault: { kind: "outage", site: "plant", durationMs: 1 } },
  { kind: "inject", inject: { kind: "outage", site: "plant", at: START_MS + 1 } },
  { kind: "inject", inject: { kind: "outage", site: "plant", when: { award: "A" } } },
  { kind: "inject_cancel", inject_id: "inject-1" },
  { kind: "owner_call", site: "plant", delay_ms: 60_000 },
  { kind: "clock", mode: "running", speed: 1 },
  { kind: "clock", mode: "paused", speed: "max", change: { what: "pause", by: null } },
  { kind: "checkpoint", label: null, beside: {} },
  { kind: "restore", checkpoint_id: "checkpoint-1" },
  { kind: "revoke", token_sha256: "0" },
  { kind: "end" },
];

test("forged records with correct checksums open a session or are refused with a message", async () => {
  const file = join(folder, "forged.journal");
  const header = bytes.subarray(0, bytes.indexOf(10) + 1);
  for (let k = 0; k < runs(500); k++) {
    const kept = below(records.length);
    const last = records.slice(0, kept).findLast((json) => json.includes('"at_ms"')) ?? `{"at_ms":${START_MS}}`;
    const atMs = Math.min(END_MS, (JSON.parse(last) as { at_ms: number }).at_ms + below(2));
    const added = Array.from({ length: 1 + below(3) }, () => {
      const original = pick([JSON.parse(records[kept]) as Json, { at_ms: atMs, ...pick(FURTHER) }]);
      return JSON.stringify(below(4) === 0 ? original : forge(original));
    });
    const lines = [...records.slice(0, kept), ...added].map((json, n) =>
      encodeLine(PLAIN_FRAME, n + 1, Buffer.from(json)),
    );
    writeFileSync(file, Buffer.concat([header, ...lines]));
    try {
      await (await open(file)).close();
    } catch (error) {
      expect(error, `seed ${SEED}, round ${k}: ${added.join(" ").slice(0, 500)}`).toBeInstanceOf(JournalError);
    }
  }
});
