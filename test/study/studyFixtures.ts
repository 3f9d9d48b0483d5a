// Small studies in a few words.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { InputErrors } from "../../src/base/inputError.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { decodeLine, encodeLine, JSON_FRAME } from "../../src/platform/node/checkedLine.ts";
import { type OpenStudy, readStudy } from "../../src/study/readStudy.ts";
import { Evaluator } from "../../src/study/workers/evaluator.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

/** Two batteries, one with little energy and much power; charged and discharged in turn, with outages by chance. */
export const TWO_BATTERIES = `version: 1
name: two
start: 2026-04-01T00:00:00Z
end: 2026-04-02T00:00:00Z
seed: 5
sites:
  - name: large
    components: [{component_id: bat, component_type: battery, rated_cap: 2000, import_pwr_max: 300, export_pwr_max: 300, soc_op_min: 0, soc_op_max: 100}]
    outages: {mtbf: PT12H, mttr: PT1H}
  - name: small
    components: [{component_id: bat, component_type: battery, rated_cap: 200, import_pwr_max: 300, export_pwr_max: 300, soc_op_min: 0, soc_op_max: 100}]
vpps:
  - name: v
    members:
      - {site: large, resource_type: battery}
      - {site: small, resource_type: battery}
awards:
  - {vpp: v, start: 2026-04-01T02:00:00Z, end: 2026-04-01T04:00:00Z, delta_kw: -300}
  - {vpp: v, start: 2026-04-01T08:00:00Z, end: 2026-04-01T10:00:00Z, delta_kw: 280}
  - {vpp: v, start: 2026-04-01T14:00:00Z, end: 2026-04-01T16:00:00Z, delta_kw: -450}
`;

export const STUDY_HEAD = "version: 1\nname: s\nscenario: two.yaml\n";

const contents = (study: string, scenario: string) =>
  memoryFiles(
    new Map([
      ["/s/study.yaml", study],
      ["/s/two.yaml", scenario],
    ]),
  );

/** Reads a study beside `two.yaml`. */
export const openStudy = (study: string, scenario = TWO_BATTERIES): OpenStudy =>
  readStudy("/s/study.yaml", contents(study, scenario));

export const openEvaluator = ({ source, study }: OpenStudy): Promise<Evaluator> =>
  Evaluator.open(source, study.forkAtMs);

/** Mistakes without the folder; fails when there are none. */
export function studyErrors(study: string, scenario = TWO_BATTERIES): string[] {
  try {
    openStudy(study, scenario);
  } catch (error) {
    if (error instanceof InputErrors) return error.errors.map(({ message }) => message.replaceAll("/s/", ""));
    throw error;
  }
  throw new Error("the study was read without errors");
}

/** Lines of results.jsonl as a file, with new numbers and checksums. */
export const renumbered = (lines: readonly string[]): Buffer => {
  const contents = lines.map((line) => {
    const { crc32: _crc, record, ...rest } = JSON.parse(line);
    return Buffer.from(JSON.stringify(rest).slice(1));
  });
  const header = encodeLine(JSON_FRAME, 0, contents[0]);
  const of = crc32(header.subarray(0, -1));
  return Buffer.concat([header, ...contents.slice(1).map((content, k) => encodeLine(JSON_FRAME, k + 1, content, of))]);
};

/** Results of a file with valid checksums, independent of the order in which the runs were finished. */
export const sortedResults = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line, number, [header]) => {
      const decoded = decodeLine(JSON_FRAME, Buffer.from(line), number, number === 0 ? 0 : crc32(header));
      if ("wrong" in decoded) throw new Error(`line ${number + 1}: ${decoded.wrong}`);
      return decoded.content.toString();
    })
    .sort();

/** Six candidates of two weights, on three seeds. */
export const GRID = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", values: [0, 100, 300]}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 2}
seeds: 3
objective: {minimise: shortfall_kwh}
constraints: [{kpi: soc_min_pct, at_least: 1}]
pareto: [shortfall_kwh, throughput_kwh]
`;

/** A new folder with the two batteries and a study of them, study.yaml; the caller removes it. */
export function createStudyFolder(text: string): string {
  const folder = createTemporaryFolder("study");
  writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES);
  writeFileSync(join(folder, "study.yaml"), text);
  return folder;
}
