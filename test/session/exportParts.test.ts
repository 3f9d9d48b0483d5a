import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { isoUtc } from "../../src/base/time.ts";
import { type ExportedSession, exportParts } from "../../src/live/session/exportScenario.ts";
import type { WorldInput } from "../../src/live/session/journal/journalEntry.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";

const HEAD = { text: "name: x\n", scenarioEnd: "2026-04-02T00:00:00Z", eventLines: [], alarms: null };

const exported = (inputs: () => Iterable<WorldInput>, notes: ExportedSession["notes"]): ExportedSession => ({
  served: {
    scenario: { file: "/x", world: { startMs: 0, endMs: 1, sites: [], vpps: [] } },
    text: "",
    files: diskFiles,
  },
  openedMs: 0,
  inputs,
  derivedChanges: [],
  notes,
  httpFaults: [],
});

/** Texts that YAML writes in different styles. */
const TEXTS = [
  "plain",
  "two\nlines",
  "ends\n\n",
  " lead",
  "# no",
  "a: b",
  "",
  "\n",
  "  x\n y\n",
  "\t",
  "| >",
  "'\"",
  "- x",
];
const YAML_STYLE = { aliasDuplicateObjects: false, lineWidth: 0 };

test("the commands and notes of an export, written one by one, are the text of the whole list", () => {
  const notes = [...TEXTS, "null", "1e3", "a\r\nb", "long ".repeat(60)].map((text, k) => ({ atMs: 1000 * k, text }));
  const inputs: WorldInput[] = TEXTS.flatMap((text, k) => [
    { kind: "fault_end", at_ms: k, fault_id: "fault" },
    { kind: "inject_cancel", at_ms: k, inject_id: text },
  ]);
  const text = [
    ...exportParts(
      HEAD,
      exported(() => inputs, notes),
    ),
  ].join("");
  const session = {
    opened_at: isoUtc(0),
    scenario_end: HEAD.scenarioEnd,
    scenario_events: 0,
    commands: TEXTS.map((cancel, k) => ({ at: isoUtc(k), after_events: k + 1, cancel })),
    notes: notes.map(({ atMs, text: note }) => ({ at: isoUtc(atMs), text: note })),
  };
  const block = HEAD.text + stringify({ session }, YAML_STYLE);
  expect(text.slice(0, block.length)).toBe(block);
  expect(parse(text)).toMatchObject({ name: "x", session });
});

test("an export has a place for a pause after each input that it reads", () => {
  let read = 0;
  function* inputs(): Generator<WorldInput> {
    for (let k = 0; k < 500; k++) {
      read++;
      yield { kind: "fault_end", at_ms: k, fault_id: "fault" };
    }
  }
  const readForParts: number[] = [];
  for (const _part of exportParts(HEAD, exported(inputs, []))) {
    readForParts.push(read);
    read = 0;
  }
  expect(Math.max(...readForParts)).toBe(1);
  expect(readForParts.reduce((sum, count) => sum + count)).toBe(1_000);
});
