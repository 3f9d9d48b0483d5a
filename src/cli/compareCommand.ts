import { resolve } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { compareReports } from "../report/compare/compareReports.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { colourOutput } from "./colourText.ts";
import { type InvestmentOptions, investmentFlags } from "./investmentFlags.ts";
import { languageOf } from "./languageFlag.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { timezoneOf } from "./timezoneFlag.ts";

interface CompareFlags extends InvestmentOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly tz?: string;
  readonly lang?: string;
  readonly open?: boolean;
  readonly names?: string;
}

/** `vppsim compare`: prints the differences between reports, and writes them with `--out`. */
export async function compareCommand(dirs: readonly string[], flags: CompareFlags): Promise<void> {
  if (flags.open === true && flags.out === undefined) throw openWithoutOut();
  const comparison = compareReports(dirs, {
    language: languageOf(flags.lang),
    timezone: timezoneOf(flags.tz),
    investment: investmentFlags(flags),
    ...(flags.names === undefined ? {} : { names: flags.names.split(",").map((name) => name.trim()) }),
  });
  const { text, json } = comparison;
  if (flags.out !== undefined) {
    const { comparisonFiles } = await import("../report/compare/comparisonPage.ts");
    const inputs = dirs.map((folder) => resolve(folder, "summary.json"));
    writeFolder(flags.out, comparisonFiles(comparison), inputs);
  }
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : colourOutput(text));
  if (flags.open === true && flags.out !== undefined) await openInBrowser(resolve(flags.out, "comparison.html"));
}

const openWithoutOut = () =>
  inputRefusal("--open", "no --out", "--out <dir> with it, the folder of the page that is opened");
