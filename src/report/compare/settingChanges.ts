// What changed between two scenarios, from the effective settings that reports contain (docs/model/report-files.md#scenario).
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
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
export function groupChanges(changes: readonly SettingChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, SettingChange[]>();
  for (const change of changes) {
    const subject = subjectOf(change.path);
    groups.set(subject, [...(groups.get(subject) ?? []), change]);
  }
  return [...groups].map(([subject, group]) => {
    if (group.every(({ a }) => a === null)) return { subject: `${subject} (only in the second)`, details: [] };
    if (group.every(({ b }) => b === null)) return { subject: `${subject} (only in the first)`, details: [] };
    return { subject, details: group.flatMap((change) => detailOf(subject, change)) };
  });
}

function subjectOf(path: string): string {
  const [head, name] = path.split(".");
  switch (head) {
    case "weights":
      return `weights of ${name}`;
    case "sites":
      return `site ${name}`;
    case "vpps":
      return `VPP ${name}`;
    case "series":
      return `series ${path.slice("series.".length).split(" ")[0]}`;
    case "start":
    case "end":
      return "period";
    default:
      return head;
  }
}

/** Lists of rows and series have digests, which mean nothing to a reader. */
function detailOf(subject: string, { path, a, b }: SettingChange): string[] {
  if (subject.startsWith("series ")) return [];
  const [rowsA, rowsB] = [a, b].map((value) => /^(\d+ rows), /.exec(String(value))?.[1]);
  if (rowsA !== undefined && rowsB !== undefined) return rowsA === rowsB ? [] : [`${rowsA} → ${rowsB}`];
  const [head, , ...rest] = path.split(".");
  const key = rest.length > 0 && ["weights", "sites", "vpps"].includes(head) ? rest.join(".") : path;
  const name = key === subject ? "" : `${key.replace(/^components\./, "")} `;
  return [`${name}${valueText(a)} → ${valueText(b)}`];
}

const valueText = (value: SettingValue | null): string =>
  value === null ? "–" : typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
