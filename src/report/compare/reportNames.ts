import { inputRefusal } from "../../base/inputError.ts";
import { basename, resolve } from "../../base/paths.ts";
import type { Patch, PatchValue } from "../../inputs/scenario/patch/patchValue.ts";
import type { PageTexts } from "../html/page/pageLocale.ts";

interface NamedReport {
  readonly dir: string;
  readonly scenario: string;
  /** `null`: the report does not say. */
  readonly patch: Patch | null;
}

/** Values of a patch that a name has; further ones are left out. */
const VALUES_MAX = 3;

/**
 * What the reports of a comparison are called: as given, else by their scenarios, by what was patched where scenarios have one
 * name, else by their folders (docs/model/report-files.md#comparison-names).
 *
 * @throws InputErrors if other than one name a report is given
 */
export function reportNames(
  reports: readonly NamedReport[],
  given: readonly string[] | null,
  texts: PageTexts,
): readonly string[] {
  if (given !== null) {
    if (given.length === reports.length && areDistinct(given)) return given;
    const found =
      given.length === reports.length ? "a name twice" : `${given.length} names for ${reports.length} reports`;
    throw inputRefusal("--names", found, "one name a report, with commas between them");
  }
  const count = (name: string): number => reports.filter(({ scenario }) => scenario === name).length;
  const names = reports.map((report) => (count(report.scenario) === 1 ? report.scenario : patchName(report, texts)));
  if (areDistinct(names)) return names;
  const folders = reports.map(({ dir }) => basename(resolve(dir)));
  return areDistinct(folders) ? folders : reports.map(({ dir }) => dir);
}

const areDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

function patchName({ patch }: NamedReport, { t }: PageTexts): string {
  const entries = Object.entries(patch ?? {});
  if (entries.length === 0) return t("compare.as_written");
  const values = [...new Set(entries.map(([path, value]) => `${path.split(".").at(-1)} ${valueText(value)}`))];
  return `${values.slice(0, VALUES_MAX).join(", ")}${values.length > VALUES_MAX ? ", …" : ""}`;
}

/** `×1.2`, `+20 %`, `3000` */
const valueText = (value: PatchValue): string =>
  String(value).replace("*", "×").replace("%", " %").replace(/^-/, "\u2212");
