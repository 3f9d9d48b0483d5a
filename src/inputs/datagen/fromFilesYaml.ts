import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { SeriesColumn, SeriesTable } from "../formats/fileFormat.ts";
import { yamlFlow } from "../formats/output/seriesOutput.ts";
import { JST_OFFSET_MS } from "./timeGrid.ts";

/** What a file is to the scenario. */
export type Part = "price" | "awards" | "weather" | "load";

/** A file that the scenario reads as it is. */
export interface SeriesPart {
  readonly name: Part;
  /** Declaration of the series. */
  readonly declaration: Readonly<Record<string, unknown>>;
  readonly table: SeriesTable;
  /** The column in use. */
  readonly column: SeriesColumn;
  /** Applies to any year. */
  readonly isTypicalYear: boolean;
}

/** What the scenario is made of. */
interface FromFilesContent {
  readonly series: readonly SeriesPart[];
  readonly period: { readonly startMs: EpochMs; readonly endMs: EpochMs };
  readonly capacityKw: number;
  /** `null`: no awards. */
  readonly awardsFile: string | null;
}

/** "2026-04-01T00:00:00+09:00". */
const isoJst = (atMs: EpochMs): string => isoUtc(atMs + JST_OFFSET_MS).replace("Z", "+09:00");

/** Where the weather file states no place. */
const TOKYO = { latitudeDeg: 35.69, longitudeDeg: 139.76 };

/** A commented scenario that reads published files. */
export function fromFilesYaml({ series, period, capacityKw, awardsFile }: FromFilesContent): string {
  const partOf = (name: SeriesPart["name"]) => series.find((part) => part.name === name);
  const price = partOf("price");
  const lines = [
    "# Made by vppsim init --from. The series are read from the published files as they are.",
    "version: 1",
    "name: from-files",
    "timezone: Asia/Tokyo",
    `start: ${isoJst(period.startMs)} # the period that all files have`,
    `end: ${isoJst(period.endMs)}`,
    "seed: 1",
    "",
    ...(series.length === 0 ? [] : ["series:"]),
    ...series.map(({ name, declaration, column }) => `  ${name}: ${yamlFlow(declaration)} # ${name}.${column.role}`),
    ...(price === undefined ? [] : [`market: {energy_price: price.${price.column.role}}`]),
    "",
    "sites:",
    ...batteryLines(capacityKw),
    ...pvLines(partOf("weather"), capacityKw),
    ...loadLines(partOf("load")),
    "",
    "vpps:",
    "  - name: my-vpp",
    "    members:",
    "      - {site: battery, resource_type: battery}",
    ...(awardsFile === null ? [] : ["", "awards:", `  - {file: ${yamlFlow(awardsFile)}, vpp: my-vpp}`]),
  ];
  return `${lines.join("\n")}\n`;
}

const batteryLines = (capacityKw: number): string[] => [
  "  - name: battery",
  "    components:",
  "      - component_id: bat",
  "        component_type: battery",
  "        fcr_capable: true",
  `        rated_cap: ${4 * capacityKw} # kWh`,
  `        import_pwr_max: ${capacityKw} # kW`,
  `        export_pwr_max: ${capacityKw}`,
  "        soc_op_min: 5 # %",
  "        soc_op_max: 95",
  "        model: {initial_soc: 50}",
];

function pvLines(weather: SeriesPart | undefined, capacityKw: number): string[] {
  if (weather === undefined) return [];
  const { latitudeDeg, longitudeDeg } = weather.table.location ?? TOKYO;
  const place = weather.table.location === undefined ? " # the file states no place: this is Tokyo" : "";
  return [
    "  - name: solar",
    "    components:",
    "      - component_id: pv",
    "        component_type: generator",
    "        generator_kind: pv",
    `        pv_capacity_kw: ${capacityKw}`,
    `        rated_output_kw: ${capacityKw}`,
    `        model: {weather: weather, latitude: ${latitudeDeg}, longitude: ${longitudeDeg}, tilt_deg: 20, azimuth_deg: 180}${place}`,
  ];
}

function loadLines(load: SeriesPart | undefined): string[] {
  if (load === undefined) return [];
  const highestKw = Math.ceil(load.column.values.reduce((a, b) => (b > a ? b : a), 1));
  return [
    "  - name: factory",
    "    components:",
    "      - component_id: line",
    "        component_type: consumer",
    "        consumer_kind: factory",
    `        contract_kw: ${highestKw}`,
    `        max_demand_kw: ${highestKw}`,
    `        model: {load: ${yamlFlow(`load.${load.column.role}`)}}`,
    "    baseline: {method: perfect} # what it would draw without reductions",
  ];
}
