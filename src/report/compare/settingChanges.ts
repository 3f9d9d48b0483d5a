// What changed between two scenarios, from the effective settings that reports contain (docs/model/report-files.md#scenario).
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
import type { PageTexts } from "../html/page/pageLocale.ts";
import type { ReportSummary } from "./readReport.ts";

type SettingValue = string | number | boolean;

/** `null`: the scenario does not have the setting. */
export interface SettingChange {
  /** Study path, or `seed`, `start`, `end`, `timezone`. */
  readonly path: string;
  readonly a: SettingValue | null;
  readonly b: SettingValue | null;
}

/** Inputs of a run. `settings`: `null` in reports of older versions. */
interface RunInputs {
  readonly summary: ReportSummary;
  readonly settings: Settings | null;
}

/** In the order of A, then settings that only B has; `null` if a report has no settings and the scenarios differ. */
export function settingChanges(a: RunInputs, b: RunInputs): readonly SettingChange[] | null {
  const isSameScenario = a.summary.scenario.hash === b.summary.scenario.hash;
  if (!isSameScenario && (a.settings === null || b.settings === null)) return null;
  // Settings of equal scenarios can differ only in names.
  const [valuesA, valuesB] = [a, b].map((run) => valuesOf(isSameScenario ? { ...run, settings: null } : run));
  const paths = new Set([...valuesA.keys(), ...valuesB.keys()]);
  return [...paths]
    .map((path) => ({ path, a: valuesA.get(path) ?? null, b: valuesB.get(path) ?? null }))
    .filter((change) => change.a !== change.b);
}

function valuesOf({ summary, settings }: RunInputs): ReadonlyMap<string, SettingValue> {
  const { seed, period, scenario } = summary;
  return new Map<string, SettingValue>([
    ["seed", seed],
    ["start", period.start],
    ["end", period.end],
    ...(scenario.timezone === null ? [] : [["timezone", scenario.timezone] as const]),
    ...Object.entries(settings ?? {}),
  ]);
}

/** Changes with one subject, such as the weights of a VPP or a site. */
export interface ChangeGroup {
  readonly subject: string;
  /** Empty if the subject is sufficient. */
  readonly details: readonly string[];
}

/** The changes by subject, in their order. */
export function groupChanges(
  changes: readonly SettingChange[],
  names: readonly string[],
  texts: PageTexts,
): readonly ChangeGroup[] {
  const groups = new Map<string, SettingChange[]>();
  for (const change of changes) {
    const subject = subjectOf(change.path, texts);
    groups.set(subject, [...(groups.get(subject) ?? []), change]);
  }
  return [...groups].map(([subject, group]) => {
    const only = group.every(({ a }) => a === null) ? 1 : group.every(({ b }) => b === null) ? 0 : null;
    if (only !== null) return { subject, details: [texts.t("compare.only_first", { name: names[only] })] };
    return { subject, details: group.flatMap((change) => detailOf(change, texts)) };
  });
}

function subjectOf(path: string, { t }: PageTexts): string {
  const [head, name = ""] = path.split(".");
  switch (head) {
    case "weights":
      return t("compare.subject_weights", { name });
    case "sites":
      return t("compare.subject_site", { name });
    case "vpps":
      return t("compare.subject_vpp", { name });
    case "series":
      return t("compare.subject_series", { name: path.slice("series.".length).split(" ")[0] });
    case "start":
    case "end":
      return t("compare.subject_period");
    case "seed":
      return t("compare.subject_seed");
    default:
      return head;
  }
}

/** Lists of rows and series have digests, which mean nothing to a reader. */
function detailOf({ path, a, b }: SettingChange, { t }: PageTexts): string[] {
  const [head, , ...rest] = path.split(".");
  if (head === "series") return [];
  const [rowsA, rowsB] = [a, b].map((value) => /^(\d+) rows, /.exec(String(value))?.[1]);
  if (rowsA !== undefined && rowsB !== undefined)
    return rowsA === rowsB ? [] : [`${rowsA} → ${t("compare.rows", { count: rowsB })}`];
  const key = rest.length > 0 && ["weights", "sites", "vpps"].includes(head) ? rest.join(".") : path;
  const name = key === head ? "" : `${key.replace(/^components\./, "")} `;
  return [`${name}${valueText(a)} → ${valueText(b)}`];
}

const valueText = (value: SettingValue | null): string =>
  value === null ? "–" : typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
