import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import { PART_LEAF, PART_LEAVES_OF, partBase } from "../meters/partLeaves.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants, nameColumn, thousandths } from "./blockBuffer.ts";

/** Columns of a component's record, in the order of the documents, with the leaves that they sum. */
const COLUMNS: readonly { readonly name: string; readonly leaves: readonly number[] }[] = [
  { name: "from_generator_kwh", leaves: [PART_LEAF.fromGenerator] },
  { name: "from_grid_kwh", leaves: [PART_LEAF.fromGrid] },
  { name: "to_grid_kwh", leaves: [PART_LEAF.toGrid] },
  { name: "to_load_kwh", leaves: [PART_LEAF.toLoad] },
  { name: "to_battery_kwh", leaves: [PART_LEAF.toBattery] },
  {
    name: "curtailed_kwh",
    leaves: [PART_LEAF.fitCurtailed, PART_LEAF.nonFirmCurtailed, PART_LEAF.manualCurtailed, PART_LEAF.otherCurtailed],
  },
  { name: "fit_curtailed_kwh", leaves: [PART_LEAF.fitCurtailed] },
  { name: "non_firm_curtailed_kwh", leaves: [PART_LEAF.nonFirmCurtailed] },
  { name: "manual_curtailed_kwh", leaves: [PART_LEAF.manualCurtailed] },
];

/** One component with where its registers begin among those of all sites. */
interface Row {
  readonly site: number;
  readonly componentId: string;
  readonly componentType: number;
  readonly base: number;
  readonly has: readonly boolean[];
}

/** Energy paths by interval, site and component, of the sites with several components. */
export class PartsTable {
  private readonly rows: readonly Row[];
  private readonly start = instants("start");
  private readonly end = instants("end");
  private readonly site;
  private readonly component;
  private readonly type = nameColumn("component_type", TYPES);
  private readonly columns = COLUMNS.map(({ name }) => thousandths(name));
  private readonly buffer: BlockBuffer;

  /** @returns `null` where every site has one component. @param base  where each site's registers begin */
  static of(sink: BlockSink, sites: readonly Site[], base: Int32Array): PartsTable | null {
    const rows = sites.flatMap((site, i) => rowsOf(site, i, base[i]));
    return rows.length === 0 ? null : new PartsTable(sink, sites, rows);
  }

  private constructor(sink: BlockSink, sites: readonly Site[], rows: readonly Row[]) {
    this.rows = rows;
    this.site = nameColumn(
      "site",
      sites.map(({ spec }) => spec.name),
    );
    const ids = [...new Set(rows.map(({ componentId }) => componentId))];
    this.component = nameColumn("component", ids);
    this.componentAt = rows.map(({ componentId }) => ids.indexOf(componentId));
    const columns = [this.start, this.end, this.site, this.component, this.type, ...this.columns];
    this.buffer = new BlockBuffer(sink, columns, BLOCK_ROWS);
  }

  private readonly componentAt: readonly number[];

  /** @param values  thousandths of a kWh of the interval, for each register of each site */
  write(startMs: EpochMs, endMs: EpochMs, values: Float64Array): void {
    for (let n = 0; n < this.rows.length; n++) {
      const { site, componentType, base, has } = this.rows[n];
      const row = this.buffer.nextRow();
      this.start.values[row] = startMs;
      this.end.values[row] = endMs;
      this.site.values[row] = site;
      this.component.values[row] = this.componentAt[n];
      this.type.values[row] = componentType;
      for (let k = 0; k < COLUMNS.length; k++)
        this.columns[k].values[row] = has[k] ? sumOf(values, base, COLUMNS[k].leaves) : Number.NaN;
    }
  }

  finish(): void {
    this.buffer.flush();
  }
}

const TYPES = ["battery", "generator", "consumer"] as const;

function rowsOf({ unit }: Site, site: number, base: number): Row[] {
  if (unit.kind !== "multi_component") return [];
  return unit.parts.map((part, k) => {
    const type = part.kind === "dispatchable" ? "generator" : part.kind;
    const leaves: readonly number[] = PART_LEAVES_OF[part.kind];
    // Only a store takes in energy, and only sun and wind are curtailed.
    const isStore = part.kind === "battery" || (part.kind === "dispatchable" && part.spec.reservoir !== null);
    const has = COLUMNS.map(({ name, leaves: [first] }) =>
      name === "from_generator_kwh" || (name === "from_grid_kwh" && part.kind !== "consumer")
        ? isStore
        : leaves.includes(first),
    );
    return {
      site,
      componentId: part.spec.componentId,
      componentType: TYPES.indexOf(type),
      base: base + partBase(k),
      has,
    };
  });
}

function sumOf(values: Float64Array, base: number, leaves: readonly number[]): number {
  let sum = 0;
  for (const leaf of leaves) sum += values[base + leaf];
  return sum;
}
