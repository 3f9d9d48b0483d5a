import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { baselineFiles } from "../report/baseline/baselineFiles.ts";
import { baselineText } from "../report/baseline/baselineText.ts";
import { createFolder } from "../report/createFolder.ts";
import { loadScenario } from "../scenario/loadScenario.ts";
import { formatNameList, InputErrors, inputError } from "../scenario/parse/inputError.ts";

/** `vppsim baseline`: writes and explains the baseline of one site with its source days. */
export function baselineCommand(file: string, flags: { readonly site: string; readonly out?: string }): void {
  const scenario = loadScenario(file);
  const names = scenario.world.sites.map(({ name }) => name);
  const site = names.indexOf(flags.site);
  if (site < 0) throw noSuchSite(flags.site, names);
  const folder = flags.out ?? join("reports", `${scenario.name}-baseline-${flags.site}`);
  const files = baselineFiles(scenario, site);
  createFolder(resolve(folder));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const warnings = scenario.warnings.map((warning) => `warning: ${warning}\n`).join("");
  const written = `${folder} (${[...files.keys()].join(", ")})`;
  process.stdout.write(`${baselineText(scenario, site)}${warnings}written: ${written}\n`);
}

const noSuchSite = (name: string, names: readonly string[]) =>
  new InputErrors([
    inputError({
      file: "--site",
      line: 0,
      column: 0,
      keyPath: "",
      found: JSON.stringify(name),
      allowed: `the name of a site (${formatNameList(names, 12)})`,
    }),
  ]);
