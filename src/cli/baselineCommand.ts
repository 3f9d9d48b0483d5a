import { join, resolve } from "node:path";
import { formatNameList, inputRefusal } from "../base/inputError.ts";
import { loadScenario } from "../inputs/scenario/loadScenario.ts";
import { baselineFiles } from "../report/baseline/baselineFiles.ts";
import { baselineText } from "../report/baseline/baselineText.ts";
import { textsIn } from "../report/html/page/pageLocale.ts";
import { inputDigests } from "../report/runJson.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { BASELINE_RULES, colourOutput } from "./colourText.ts";

interface BaselineFlags {
  readonly site: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** `vppsim baseline`: writes and explains the baseline of one site with its source days. */
export function baselineCommand(file: string, flags: BaselineFlags): void {
  const scenario = loadScenario(file);
  const names = scenario.world.sites.map(({ name }) => name);
  const site = names.indexOf(flags.site);
  if (site < 0) throw noSuchSite(flags.site, names);
  const folder = flags.out ?? join("reports", `${scenario.name}-baseline-${encodeURIComponent(flags.site)}`);
  const files = baselineFiles(scenario, site);
  writeFolder(folder, files, scenario.inputFiles.keys(), { inputs: inputDigests(scenario) });
  if (flags.json === true) {
    const { name, hash, warnings } = scenario;
    const { method } = scenario.world.sites[site].baseline;
    const result = {
      scenario: name,
      hash,
      site: flags.site,
      method,
      folder: resolve(folder),
      files: [...files.keys()],
    };
    process.stdout.write(`${JSON.stringify({ ...result, warnings })}\n`);
    return;
  }
  const warnings = scenario.warnings.map((warning) => `warning: ${warning}\n`).join("");
  const written = `${folder} (${[...files.keys()].join(", ")})`;
  const texts = textsIn(scenario.language);
  const text = `${baselineText(scenario, site, texts)}${warnings}${texts.t("baseline.written", { place: written })}\n`;
  process.stdout.write(colourOutput(text, BASELINE_RULES));
}

const noSuchSite = (name: string, names: readonly string[]) =>
  inputRefusal("--site", JSON.stringify(name), `the name of a site (${formatNameList(names, 12)})`);
