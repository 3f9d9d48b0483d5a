import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compareReports } from "../report/compare/compareReports.ts";
import { createFolder } from "../report/createFolder.ts";

/** `vppsim compare`: prints the differences between two reports, and writes them with `--out`. */
export async function compareCommand(
  dirA: string,
  dirB: string,
  flags: { readonly out?: string; readonly json?: boolean },
): Promise<void> {
  const { text, json } = compareReports(dirA, dirB);
  const document = `${JSON.stringify(json, null, 2)}\n`;
  if (flags.out !== undefined) {
    const { renderComparisonHtml } = await import("../report/compare/comparisonPage.ts");
    createFolder(resolve(flags.out));
    writeFileSync(join(flags.out, "comparison.txt"), text);
    writeFileSync(join(flags.out, "comparison.json"), document);
    writeFileSync(join(flags.out, "comparison.html"), renderComparisonHtml(json));
  }
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : text);
}
