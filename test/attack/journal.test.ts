import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JournalError } from "../../src/live/session/journal/journalRecord.ts";
import { encodeLine as encodeFramedLine, PLAIN_FRAME } from "../../src/platform/node/checkedLine.ts";
import { exportYaml } from "../session/exportYaml.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { readJournalAt } from "../session/readJournalAt.ts";
import { START_MS } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const encodeLine = (number: number, content: Buffer): Buffer => encodeFramedLine(PLAIN_FRAME, number, content);

const newFile = (): string => join(createTemporaryFolder("forged"), "a.journal");
const open = (file: string) => openTinySession({ journal: { file, resumesEnded: true } });

describe("a record of another program with a correct checksum is refused with its number", () => {
  const request = { api: "vpp-v1", id: "x", method: "POST", path: "/members", query: {} };
  test.each<[string, unknown]>([
    ["an unknown kind", { kind: "explode" }],
    ["a request without a path", { kind: "request", at_ms: START_MS, request: { ...request, path: 1 } }],
    ["an instant before the last one", { kind: "clock", at_ms: 0, mode: "paused", speed: 1 }],
    ["a checkpoint that was not made", { kind: "restore", checkpoint_id: "x" }],
    [
      "a fault of an unknown site",
      { kind: "fault", at_ms: START_MS, fault: { kind: "outage", site: "moon", durationMs: null } },
    ],
  ])("%s", async (_, record) => {
    const file = newFile();
    await (await open(file)).close();
    const count = (readJournalAt(file)?.records.length ?? 0) + 1;
    appendFileSync(file, encodeLine(count, Buffer.from(JSON.stringify(record))));
    const before = readFileSync(file);
    const refused = open(file);
    await expect(refused).rejects.toThrow(JournalError);
    await expect(refused).rejects.toThrow(`is damaged at record ${count};`);
    expect(readFileSync(file)).toEqual(before);
  });
});

test("malformed requests neither grow the journal nor the export, and are answered as before", async () => {
  const file = newFile();
  const session = await open(file);
  const { vppId } = session.scenario.world.vpps[0];
  const request = { api: "vpp-v1", id: vppId, method: "POST", path: "/members", query: {} } as const;
  const size = statSync(file).size;
  for (let k = 0; k < 20; k++) {
    const { status } = await session.answer({ ...request, body: { label: "x".repeat(100_000) } });
    expect(status).toBe(400);
  }
  expect(statSync(file).size).toBe(size);
  expect(exportYaml(session).length).toBeLessThan(10_000);
  await session.close();
});

test("a journal longer than one read is read whole, wherever the reads divide it", async () => {
  const file = newFile();
  const session = await open(file);
  await session.close();
  const { records } = readJournalAt(file) ?? { records: [] };
  const label = "x".repeat(999_983);
  const checkpoint = Buffer.from(JSON.stringify({ kind: "checkpoint", at_ms: START_MS, label, beside: {} }));
  for (let k = 1; k <= 10; k++) appendFileSync(file, encodeLine(records.length + k, checkpoint));
  appendFileSync(file, encodeLine(records.length + 11, checkpoint).subarray(0, 5_000));
  const content = readJournalAt(file);
  expect(content?.records.slice(records.length).every((json) => json.equals(checkpoint))).toBe(true);
  expect(content?.records.length).toBe(records.length + 10);
  expect(content?.tornBytes).toBe(5_000);
  expect(content?.byteLength).toBe(statSync(file).size - 5_000);
});
