// Names without end, names that another program takes for something else, and files that are no text.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { unpackGzip } from "../../src/base/gzip.ts";
import { hourlyCsv, readScenarioYaml, SMALL_SCENARIO, scenarioErrors } from "../scenario/scenarioFixtures.ts";
import { STUDY_HEAD, studyErrors } from "../study/studyFixtures.ts";

const member = (keys: string) =>
  `${SMALL_SCENARIO}vpps: [{name: v, members: [{site: b, resource_type: battery, ${keys}}]}]\n`;
const award = (id: string) =>
  `${member("")}awards: [{vpp: v, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: -1, award_id: ${JSON.stringify(id)}}]\n`;
const component = (id: string) => SMALL_SCENARIO.replace("component_id: bat", `component_id: ${JSON.stringify(id)}`);
const long = (length: number) => "n".repeat(length);

describe("a name or id has a maximum length, which the message states", () => {
  test.each<[string, (name: string) => string, number, RegExp]>([
    [
      "the scenario",
      (n) => SMALL_SCENARIO.replace("name: small", `name: ${n}`),
      100,
      /: name: .* at most 100 lowercase/,
    ],
    [
      "a site",
      (n) => SMALL_SCENARIO.replace("name: b", `name: ${n}`),
      200,
      /sites\.0\.name: .* letters and digits of any script, _ and -, at most 200 bytes/,
    ],
    [
      "a VPP",
      (n) => `${SMALL_SCENARIO}vpps: [{name: ${n}}]\n`,
      200,
      /vpps\.0\.name: .* letters and digits of any script, _ and -, at most 200 bytes/,
    ],
    ["an award", award, 64, /award_id: .* 1 to 64 characters without spaces, commas, quotes and control/],
    ["a component", component, 64, /component_id: .* 1 to 64 characters without control/],
    ["a label", (n) => member(`label: ${n}`), 64, /label: .* at most 64 characters without control/],
  ])("%s", (_, yamlOf, longest, message) => {
    expect(readScenarioYaml(yamlOf(long(longest))).world.sites).toHaveLength(1);
    const errors = scenarioErrors(yamlOf(long(longest + 1)));
    expect(errors[0]).toMatch(message);
    // The name itself is cut.
    expect(errors[0].length).toBeLessThan(300);
  });

  test("a series, a study and its parameters", () => {
    const series = `${SMALL_SCENARIO}series: {${long(201)}: {file: s.csv}}\n`;
    expect(scenarioErrors(series, { "s.csv": hourlyCsv(2, { kw: () => 1 }) })[0]).toMatch(
      /^scenario.yaml:8:10: series\.n{57}\.\.\.: found name "n{57}\.\.\.", allowed letters and digits of any script, _ and -, at most 200 bytes/,
    );
    const study = (name: string, parameter: string) =>
      `${STUDY_HEAD.replace("name: s\n", `name: ${name}\n`)}parameters: [{name: ${parameter}, path: "weights.v.large", values: [1]}]\nobjective: {minimise: shortfall_kwh}\n`;
    expect(studyErrors(study(long(101), "p"))[0]).toMatch(/: name: .* at most 100 lowercase/);
    expect(studyErrors(study("s", long(201)))[0]).toMatch(
      /parameters\.0\.name: .* letters and digits of any script, _ and -, at most 200 bytes/,
    );
  });
});

test.each(["a\u0000b", "a\u001b[31m", "a\u007f", "a\u0085b", "a\u202eb", "a\nb"])(
  "%j is no id and no label",
  (text) => {
    expect(scenarioErrors(award(text))[0]).toMatch(/award_id: found .* control characters/);
    expect(scenarioErrors(component(text))[0]).toMatch(/component_id: found .* control characters/);
    expect(scenarioErrors(member(`label: ${JSON.stringify(text)}`))[0]).toMatch(/label: found .* control characters/);
  },
);

describe("the type of a binary file is named", () => {
  const bytes = (text: string) => Buffer.concat([Buffer.from(text, "latin1"), Buffer.from([0, 1, 2, 255])]);
  test.each<[string, Buffer, string]>([
    ["gzip", gzipSync("vpp,start\n"), "found gzip data, allowed UTF-8 text: unpack it (gunzip)"],
    [
      "a workbook",
      bytes("PK\x03\x04\x14"),
      "found a ZIP archive or an .xlsx workbook, allowed UTF-8 text: unpack it; save",
    ],
    [
      "an old workbook",
      bytes("\xd0\xcf\x11\xe0\xa1"),
      "found an .xls workbook, allowed UTF-8 text: save it as CSV UTF-8",
    ],
    ["Parquet", bytes("PAR1\x15"), "found a Parquet file, allowed UTF-8 text: convert it to CSV"],
    ["a PDF", bytes("%PDF-1.7"), "found a PDF file"],
    ["anything else", bytes("\x7fELF\x02\x01\x01"), "found binary data (a zero byte at offset 7), allowed UTF-8 text"],
  ])("%s", (_, content, message) => {
    const yaml = `${SMALL_SCENARIO}vpps: [{name: v}]\nawards: [{file: a.csv}]\n`;
    expect(scenarioErrors(yaml, { "a.csv": content })).toEqual([expect.stringContaining(`a.csv: ${message}`)]);
    expect(scenarioErrors("", { "scenario.yaml": content })[0]).toContain(`scenario.yaml: ${message}`);
  });

  test("a gzip file whose content exceeds the limit", () => {
    const packed = gzipSync(Buffer.alloc(1 << 20));
    const unpacked = unpackGzip(packed, 1 << 20);
    expect("bytes" in unpacked && Buffer.alloc(1 << 20).equals(unpacked.bytes)).toBe(true);
    expect(unpackGzip(Buffer.concat([packed, gzipSync("x")]), 1 << 20)).toEqual({
      wrong: "a gzip file that unpacks to more than 1 MiB",
    });
  });
});
