import { describe, expect, test } from "vitest";
import { ErrorCollector } from "../../src/base/inputError.ts";
import { parseJsonTail } from "../../src/inputs/scenario/parse/parseJsonTail.ts";
import { readYaml } from "../../src/inputs/scenario/parse/readYaml.ts";
import type { SourceNode } from "../../src/inputs/scenario/parse/sourceNode.ts";
import { readScenarioYaml, SMALL_SCENARIO, scenarioErrors } from "./scenarioFixtures.ts";

/** What a node means, without its place. */
function valueOfNode(node: SourceNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(valueOfNode);
  return Object.fromEntries([...node.entries].map(([key, { node: inner }]) => [key, valueOfNode(inner)]));
}

const LINES = [
  { at: "2026-04-01T00:00:00Z", kind: "outage", site: "b", duration: "PT1H", order: "settled" },
  { texts: ['quote " and \\', "tab\t", "ü 発 💡", "", "yes", "0x1F", "2026-04-01", "# no comment", ": -"] },
  { numbers: [0, -1.5, 1e21, 1e-7, 123456789012], others: [true, false, null, [], {}, [[{ a: [1] }]]] },
  { "key: with": 1, __proto__x: 2, "": 3 },
];
const text = (head: string, lines: readonly object[]) =>
  `${head}events:\n${lines.map((line) => `  - ${JSON.stringify(line)}\n`).join("")}`;
/** A comment that makes a file long enough to have its events read by themselves. */
const LONG = `# ${"x".repeat(1_000_000)}\n`;

describe("events as JSON at the end of a file", () => {
  test("have the same meaning as in YAML", () => {
    const head = "name: x # events:\nlist:\n  - {a: 1}\n";
    const errors = new ErrorCollector();
    const plain = readYaml("f", text(head, LINES), errors);
    const long = readYaml("f", text(LONG + head, LINES), errors);
    expect(errors.errors).toEqual([]);
    expect(valueOfNode(long!.root)).toEqual(valueOfNode(plain!.root));
    expect(valueOfNode(long!.root)).toMatchObject({ name: "x", list: [{ a: 1 }], events: LINES });
  });

  test.each([
    ["without any", "a: 1\n"],
    ["of which one is YAML", "events:\n  - {a: 1}\n"],
    ["with something behind", 'events:\n  - {"a":1}\nb: 1\n'],
    ["indented otherwise", 'events:\n - {"a":1}\n'],
    ["that are none", "events:\n"],
    ["nested too deeply", `events:\n  - {"a":${"[".repeat(70)}${"]".repeat(70)}}\n`],
  ])("%s are left to YAML", (_, yaml) => expect(parseJsonTail(yaml)).toBeNull());

  test("need no newline at the end, and may be the whole file", () => {
    expect(parseJsonTail('events:\n  - {"a":1}')?.list.items.map(valueOfNode)).toEqual([{ a: 1 }]);
  });

  test("of 9 MB are read, and an error in one is reported with its line", () => {
    const at = "2026-04-01T01:00:00Z";
    const request = { at, kind: "request", api: "site-v2", id: "b", method: "POST", path: "/baseline" };
    const lines = Array.from({ length: 120 }, () => ({ ...request, body: { note: "x".repeat(80_000) } }));
    expect(text("", lines).length).toBeGreaterThan(9_000_000);
    expect(readScenarioYaml(text(SMALL_SCENARIO, lines)).world.events.length).toBe(120);
    const wrong = [...lines, { at, kind: "outage", site: "c", duration: "PT1S" }];
    // 7 lines of the site, the key, and the wrong one last.
    expect(scenarioErrors(text(SMALL_SCENARIO, wrong))).toEqual([
      expect.stringMatching(/^scenario\.yaml:129:1: events\.120\.site: found "c"/),
    ]);
  });

  test("twice in a file are refused", () => {
    expect(scenarioErrors(text(`${LONG}${SMALL_SCENARIO}events: []\n`, LINES))[0]).toContain(
      "found a second list of events",
    );
  });
});
