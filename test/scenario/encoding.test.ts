import { describe, expect, test } from "vitest";
import { hourlyCsv, SMALL_SCENARIO, scenarioErrors } from "./scenarioFixtures.ts";

/** 東 in Shift_JIS. */
const KANJI = Buffer.from([0x93, 0x8c]);
/** The text with the character in place of the `@`. */
function withKanji(text: string): Buffer {
  const at = text.indexOf("@");
  return Buffer.concat([Buffer.from(text.slice(0, at)), KANJI, Buffer.from(text.slice(at + 1))]);
}
const wrongByte = (file: string, place: string, offset: number) =>
  `${file}:${place}: found byte 0x93 at offset ${offset}, which is not UTF-8 (the text seems to be CP932), allowed UTF-8 text, as from: iconv -f CP932 -t UTF-8 ${file}`;

describe("every file of a scenario is UTF-8", () => {
  test("the scenario", () => {
    const yaml = withKanji("version: 1\ndescription: @\n");
    expect(scenarioErrors("", { "scenario.yaml": yaml })).toEqual([wrongByte("scenario.yaml", "2:14", 24)]);
  });

  test("a table and a series, also in cells that are not read", () => {
    const csv = withKanji(hourlyCsv(2, { kw: () => 1, note: () => "@" }));
    const yaml = `${SMALL_SCENARIO}vpps: [{name: v}]\nawards: [{file: a.csv}]\nseries: {s: {file: s.csv, columns: {kw: kw}}}\n`;
    expect(scenarioErrors(yaml, { "a.csv": withKanji("vpp,start\nv,@\n"), "s.csv": csv })).toEqual([
      wrongByte("a.csv", "2:3", 12),
      wrongByte("s.csv", "2:24", 41),
    ]);
  });
});

test.each([
  ["the case of a word", "resource_type: Battery", /found "Battery", allowed one of .* \(did you mean battery\?\)$/],
  ["a separator", "resource_type: multi-component", /\(did you mean multi_component\?\)$/],
  ["the case of a key", "Resource_Type: battery", /an unknown key, .*\(did you mean resource_type\?\)$/],
])("the error of %s suggests the right spelling", (_, keys, message) => {
  const errors = scenarioErrors(`${SMALL_SCENARIO}vpps: [{name: v, members: [{site: b, ${keys}}]}]\n`);
  expect(errors).toEqual([expect.stringMatching(message)]);
});

test("the errors of an upper-case SKU, a spreadsheet's TRUE and an efficiency in per cent suggest the right value", () => {
  const awards = "vpp,sku,start,end,delta_kw\nv,FRR,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-1\n";
  const sites =
    "name,components.0.component_id,components.0.component_type,components.0.rated_cap,components.0.import_pwr_max,components.0.export_pwr_max,components.0.soc_op_min,components.0.soc_op_max,capability.fcr_capable,components.0.model.charge_efficiency\nx,bat,battery,20,10,10,10,90,TRUE,95\n";
  const yaml = `${SMALL_SCENARIO}  - {file: x.csv}\nvpps: [{name: v}]\nawards: [{file: a.csv}]\n`;
  expect(scenarioErrors(yaml, { "a.csv": awards, "x.csv": sites })).toEqual([
    expect.stringMatching(/^x\.csv:2:30: capability\.fcr_capable: found "TRUE", allowed true or false \(write true\)$/),
    expect.stringMatching(/^x\.csv:2:35: .*charge_efficiency: found "95", .*\(write 0\.95 for 95 %\)$/),
    expect.stringMatching(/^a\.csv:2:3: sku: found "FRR", .*\(did you mean frr\?\)/),
  ]);
});
