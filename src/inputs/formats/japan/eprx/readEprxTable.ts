import { groupBy } from "../../../../base/lists.ts";
import type { FileContent, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { readAmounts } from "../../text/headerColumns.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { type EprxFile, type EprxRow, parseEprxFile, requireColumns } from "./eprxFile.ts";
import { type EprxQuantity, quantityOf } from "./eprxQuantities.ts";

/** One of the columns of a file: an area or a type of resource. */
export interface EprxScope {
  readonly index: number;
  /** Header of the column. */
  readonly source: string;
  /** Part of the role between the quantity and its unit; empty for a single scope. */
  readonly suffix: string;
}

interface EprxLayout {
  /** `null` after reporting problems. */
  scopesOf(file: EprxFile, content: FileContent): readonly EprxScope[] | null;
  /** Whether a row belongs to the part of the file that is read. */
  isWanted(file: EprxFile, row: EprxRow): boolean;
}

/** Header of the column with the name of the quantity. */
const QUANTITY = "取引情報";
const quantityIndexOf = ({ names }: EprxFile): number => names.indexOf(QUANTITY);

/** The quantities of a result file as columns, one for each quantity and scope. */
export function readEprxTable(content: FileContent, layout: EprxLayout): SeriesTable | null {
  const file = parseEprxFile(content);
  const scopes = file === null ? null : layout.scopesOf(file, content);
  if (file === null || scopes === null) return null;
  const quantityIndex = quantityIndexOf(file);
  if (!requireColumns(file, [QUANTITY])) return null;
  const rows = file.rows.filter((row) => layout.isWanted(file, row));
  const names = [...new Set(rows.map(({ record }) => normaliseName(record.cells[quantityIndex] ?? "")))];
  const quantities = new Map<string, EprxQuantity>();
  for (const name of names) {
    const quantity = quantityOf(name);
    if (quantity !== null) quantities.set(name, quantity);
    else
      content.problems.refuse(
        `the quantity ${JSON.stringify(name)}`,
        "a known quantity, as in 落札量合計（電源属地別）[MW]",
        "取引情報",
      );
  }
  const builder = new TableBuilder(
    [...quantities].flatMap(([source, { stem, unit }]) =>
      scopes.map(({ suffix, source: scope }) => ({ role: roleOf(stem, suffix), unit, source: `${source} ${scope}` })),
    ),
  );
  if (content.problems.count > 0) return null;
  addBlocks({ file, rows, scopes, quantities }, builder);
  const product = file.properties.get("商品区分");
  builder.notes.push(
    `${product === undefined ? "" : `${product}, `}${file.status}, blocks of ${file.blockMs / 60_000} min`,
  );
  if ([...quantities.values()].some(({ unit }) => unit === "JPY/kW"))
    builder.notes.push("the file prints JPY/kW; whether per 30 min or per block is not known");
  return builder.build(content.problems, file.blockMs);
}

/** "awarded_mw" of "vpp" is "awarded_vpp_mw". */
function roleOf(stem: string, suffix: string): string {
  if (suffix === "") return stem;
  const unit = /_(mw|jpy_per_kw(_30min)?)$/.exec(stem)?.[0] ?? "";
  return `${stem.slice(0, stem.length - unit.length)}_${suffix}${unit}`;
}

interface EprxBlocks {
  readonly file: EprxFile;
  readonly rows: readonly EprxRow[];
  readonly scopes: readonly EprxScope[];
  /** By normalised name, in the order of the columns. */
  readonly quantities: ReadonlyMap<string, EprxQuantity>;
}

function addBlocks({ file, rows, scopes, quantities }: EprxBlocks, builder: TableBuilder): void {
  const { table } = file;
  const quantityIndex = quantityIndexOf(file);
  const order = [...quantities.keys()];
  const byBlock = groupBy(rows, ({ key }) => key);
  for (const [key, block] of byBlock) {
    const byName = new Map<string, number[]>();
    for (const { record } of block) {
      const name = normaliseName(record.cells[quantityIndex]);
      const { stem, unit } = quantities.get(name) ?? { stem: name, unit: "" };
      if (byName.has(name))
        table.reportRow(record, `a second ${name} of block ${key}`, "each quantity once in a block");
      const columns = scopes.map(({ index, source }) => ({
        index,
        role: stem,
        unit,
        source: `${name} ${source}`,
        minimum: 0,
      }));
      byName.set(name, readAmounts(table, record, columns));
    }
    const absent = order.filter((name) => !byName.has(name));
    if (absent.length > 0)
      table.reportRow(
        block[0].record,
        `block ${key} without ${absent.join(", ")}`,
        `all ${order.length} quantities of the other blocks`,
      );
    const values = order.flatMap((name) => byName.get(name) ?? scopes.map(() => Number.NaN));
    builder.add(block[0].atMs, withoutEmptyPrices(values, scopes.length, quantities), block[0].record.line);
  }
}

/** A price beside an awarded volume of 0 is no price (docs/model/formats.md#eprx-results). */
function withoutEmptyPrices(
  values: readonly number[],
  scopeCount: number,
  quantities: ReadonlyMap<string, EprxQuantity>,
): number[] {
  const list = [...quantities.values()];
  return values.map((value, k) => {
    const { volume } = list[Math.floor(k / scopeCount)];
    const volumeRow = volume === undefined ? -1 : list.findIndex(({ stem }) => stem === volume);
    return volumeRow >= 0 && values[volumeRow * scopeCount + (k % scopeCount)] === 0 ? Number.NaN : value;
  });
}
