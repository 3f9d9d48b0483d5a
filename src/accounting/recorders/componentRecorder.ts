import type { EpochMs } from "../../base/time.ts";
import { kindOf } from "../../engine/site/components/registry.ts";
import { COMPONENT_TYPES } from "../../engine/site/components/wireFacet.ts";
import { COMPONENT_REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../engine/site/site.ts";
import { componentRegisterBase } from "../meters/componentRegisters.ts";
import { BLOCK_ROWS, BlockBuffer, type BlockSink, instantColumn, nameColumn, thousandthsColumn } from "./tableBlock.ts";

/** Columns of a component's record, in the order of the documents, with the registers that they sum. */
const COLUMNS: readonly { readonly name: string; readonly registers: readonly number[] }[] = [
  { name: "from_generator_kwh", registers: [COMPONENT_REGISTER.fromGenerator] },
  { name: "from_grid_kwh", registers: [COMPONENT_REGISTER.fromGrid] },
  { name: "to_grid_kwh", registers: [COMPONENT_REGISTER.toGrid] },
  { name: "to_load_kwh", registers: [COMPONENT_REGISTER.toLoad] },
  { name: "to_battery_kwh", registers: [COMPONENT_REGISTER.toBattery] },
  {
    name: "curtailed_kwh",
    registers: [
      COMPONENT_REGISTER.fitCurtailed,
      COMPONENT_REGISTER.nonFirmCurtailed,
      COMPONENT_REGISTER.manualCurtailed,
      COMPONENT_REGISTER.otherCurtailed,
    ],
  },
  { name: "fit_curtailed_kwh", registers: [COMPONENT_REGISTER.fitCurtailed] },
  { name: "non_firm_curtailed_kwh", registers: [COMPONENT_REGISTER.nonFirmCurtailed] },
  { name: "manual_curtailed_kwh", registers: [COMPONENT_REGISTER.manualCurtailed] },
];

/** One component, with the offset of its registers among those of all sites. */
interface ComponentTableRow {
  readonly site: number;
  readonly componentId: string;
  readonly componentType: number;
  readonly base: number;
  readonly has: readonly boolean[];
}

/** Energy paths by interval, site and component, of sites with several components. */
export class ComponentRecorder {
  private readonly rows: readonly ComponentTableRow[];
  private readonly start = instantColumn("start");
  private readonly end = instantColumn("end");
  private readonly site;
  private readonly component;
  private readonly type = nameColumn("component_type", COMPONENT_TYPES);
  private readonly columns = COLUMNS.map(({ name }) => thousandthsColumn(name));
  private readonly buffer: BlockBuffer;

  /** @returns `null` where every site has one component. @param base  offset of each site's registers */
  static create(sink: BlockSink, sites: readonly Site[], base: Int32Array): ComponentRecorder | null {
    const rows = sites.flatMap((site, i) => rowsOf(site, i, base[i]));
    return rows.length === 0 ? null : new ComponentRecorder(sink, sites, rows);
  }

  private constructor(sink: BlockSink, sites: readonly Site[], rows: readonly ComponentTableRow[]) {
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

  /** @param values  thousandths of a kWh in the interval, for each register of each site */
  writeInterval(startMs: EpochMs, endMs: EpochMs, values: Float64Array): void {
    for (let n = 0; n < this.rows.length; n++) {
      const { site, componentType, base, has } = this.rows[n];
      const row = this.buffer.nextRow();
      this.start.values[row] = startMs;
      this.end.values[row] = endMs;
      this.site.values[row] = site;
      this.component.values[row] = this.componentAt[n];
      this.type.values[row] = componentType;
      for (let k = 0; k < COLUMNS.length; k++)
        this.columns[k].values[row] = has[k] ? sumOf(values, base, COLUMNS[k].registers) : Number.NaN;
    }
  }

  flush(): void {
    this.buffer.flush();
  }
}

function rowsOf({ resource }: Site, site: number, base: number): ComponentTableRow[] {
  if (resource.composite === null) return [];
  return resource.components.map((component, k) => {
    const { accounting, wire } = kindOf(component);
    const role = accounting.energyRole(component.spec);
    // Only a store takes in energy; only PV and wind power plants are curtailed.
    const has = COLUMNS.map(({ name, registers: [first] }) =>
      name === "from_generator_kwh" || (name === "from_grid_kwh" && role !== "load")
        ? role === "storage"
        : accounting.partRegisters.includes(first),
    );
    return {
      site,
      componentId: component.spec.componentId,
      componentType: COMPONENT_TYPES.indexOf(wire.componentType(component.spec)),
      base: base + componentRegisterBase(k),
      has,
    };
  });
}

function sumOf(values: Float64Array, base: number, registers: readonly number[]): number {
  let sum = 0;
  for (const register of registers) sum += values[base + register];
  return sum;
}
