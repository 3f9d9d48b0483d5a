import { isoUtc } from "../../../base/time.ts";
import type { FileFormat, FormatOptions, RecordTable, SeriesTable } from "../fileFormat.ts";
import { scenarioColumn } from "../scenarioColumn.ts";
import { DEFAULT_TIMEZONE } from "../time/localTime.ts";

/**
 * CSV of a table: `timestamp` in UTC and a column for each role, numbers with all their digits. Values of intervals stand at
 * the start of their interval and readings at their instant. Intervals of several lengths are cut into equal parts. A column without a value at a stamp has an empty cell.
 */
export function seriesCsv(table: SeriesTable): string {
  const { columns } = table;
  const cells = new Map<number, string[]>();
  columns.forEach((column, k) => {
    const { timesMs, values } = scenarioColumn(column, table);
    timesMs.forEach((atMs, row) => {
      const known = cells.get(atMs) ?? columns.map(() => "");
      if (!Number.isNaN(values[row])) known[k] = String(values[row]);
      cells.set(atMs, known);
    });
  });
  const lines = [...cells].sort(([a], [b]) => a - b).map(([atMs, row]) => [isoUtc(atMs), ...row].join(","));
  return `${[["timestamp", ...columns.map(({ role }) => quoted(role))].join(","), ...lines].join("\n")}\n`;
}

/** How a scenario reads the stamps of that file: those of most roles, and of readings beside values of intervals. */
function labelKeys({ columns }: SeriesTable): {
  readonly label: "start" | "instant";
  readonly labels?: Readonly<Record<string, "instant">>;
} {
  const readings = columns.filter(({ label }) => label === "instant");
  if (readings.length === columns.length) return { label: "instant" };
  if (readings.length === 0) return { label: "start" };
  return { label: "start", labels: Object.fromEntries(readings.map(({ role }) => [role, "instant" as const])) };
}

export const recordsCsv = ({ keys, rows }: RecordTable): string =>
  [keys, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The names that the lines refer to. */
interface YamlSource {
  readonly format: FileFormat;
  readonly options: FormatOptions;
  /** Name of the series in the scenario. */
  readonly name: string;
  /** Written file. */
  readonly file: string;
  /** Files as the user named them. */
  readonly originals: readonly string[];
}

/** Lines of a scenario that use a written series, and those that read the original instead. */
export function seriesYaml(table: SeriesTable, { format, options, name, file, originals }: YamlSource): string[] {
  const roles = table.columns.map(({ role, unit }) => `  #   ${name}.${role}${unit === "" ? "" : ` (${unit})`}`);
  const zone = format.options.includes("timezone") ? { timezone: DEFAULT_TIMEZONE } : {};
  const direct = { format: format.id, file: originals[0], ...zone, ...options };
  return [
    "series:",
    `  ${name}: ${yamlFlow({ file, ...labelKeys(table) })}`,
    ...roles,
    ...(originals.length === 1 ? ["  # or straight from the original:", `  # ${name}: ${yamlFlow(direct)}`] : []),
    ...energyPriceLine(table, name),
  ];
}

/** The line that makes the price that of all energy. */
function energyPriceLine({ columns }: SeriesTable, name: string): string[] {
  const price = columns.find(({ role }) => role === "price_jpy_per_kwh");
  return price === undefined ? [] : [`market: {energy_price: ${name}.${price.role}}`];
}

/** Formats whose rows no key of a scenario reads. */
const NOT_OF_SCENARIOS: ReadonlySet<string> = new Set(["jepx_bid_curves"]);

/** Members are written in the scenario itself, awards and events in files that it names. */
export function recordsYaml({ keys, rows }: RecordTable, formatId: string, file: string): string[] {
  if (NOT_OF_SCENARIOS.has(formatId)) return [`# No key of a scenario reads ${file}.`];
  if (formatId !== "members") {
    const needsVpp = formatId !== "events" && !keys.includes("vpp");
    return [
      formatId === "events" ? "events:" : "awards:",
      `  - ${yamlFlow({ file, ...(needsVpp ? { vpp: "my-vpp" } : {}) })}${needsVpp ? " # the name of your VPP" : ""}`,
    ];
  }
  const entries = rows.map((row) =>
    yamlFlow(
      Object.fromEntries(
        keys
          .map((key, k) => [key, key === "allocation_weight" ? Number(row[k]) : row[k]])
          .filter(([, value]) => value !== ""),
      ),
    ),
  );
  return ["members:", ...entries.map((entry) => `  - ${entry}`)];
}

/** A mapping on one line; texts are quoted where YAML needs it. */
export function yamlFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlFlow).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries.map(([key, item]) => `${yamlFlow(key)}: ${yamlFlow(item)}`).join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z_./][\w./-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
