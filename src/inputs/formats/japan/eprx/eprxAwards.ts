import { isoUtc } from "../../../../base/time.ts";
import type { FileContent, FileFormat, RecordTable, SeriesTable } from "../../fileFormat.ts";
import { FormatProblems } from "../../formatProblem.ts";
import { productOf } from "../../generic/recordKeys.ts";
import { normaliseText } from "../../text/normaliseText.ts";
import { EPRX_TERMS, parseEprxFile } from "./eprxFile.ts";
import { isResultHead, readEprxResults } from "./eprxResults.ts";

/** Awards of a VPP with a given capacity, derived from market results. */
export const eprxAwards: FileFormat = {
  id: "eprx_awards",
  title: "Awards of a VPP of a stated capacity, from EPRX results (capacity_kw, area)",
  terms: EPRX_TERMS,
  options: ["area", "section", "capacity_kw", "price", "encoding"],
  // A file of results is detected as results; it becomes awards only on request.
  detect: ({ head }) => (isResultHead(head) ? 0.2 : 0),
  read: readEprxAwards,
};

/**
 * One award for each block in which the area has an awarded volume: the capacity of the VPP, at most that volume, at a published
 * price of the area (docs/model/formats.md#eprx-awards).
 */
function readEprxAwards(content: FileContent): RecordTable | null {
  const { options, problems } = content;
  if (options.capacity_kw === undefined || !(options.capacity_kw > 0))
    problems.refuse(
      String(options.capacity_kw ?? "no capacity"),
      "the capacity of the VPP in kW, above 0",
      "capacity_kw",
    );
  if (options.area === undefined) problems.refuse("no area", "the area of the VPP, as in tokyo", "area");
  const results = problems.count > 0 ? null : readEprxResults(content);
  const file = results === null ? null : parseEprxFile({ ...content, problems: new FormatProblems() });
  if (results === null || file === null) return null;
  const product = normaliseText(file.properties.get("商品区分") ?? "");
  const sku = productOf(product);
  if (sku === null || sku === "compound") {
    const allowed =
      "results of a single product; write awards of the compound market in a table of your own (format awards)";
    problems.refuse(`the product ${product}`, allowed);
    return null;
  }
  return awardsOf(content, results, sku);
}

function awardsOf({ options, problems }: FileContent, results: SeriesTable, sku: string): RecordTable | null {
  const statistic = options.price ?? "mean";
  const columnOf = (role: string) => results.columns.find((column) => column.role === role);
  const volume = columnOf("awarded_mw");
  const price = columnOf(`price_${statistic}_jpy_per_kw_30min`);
  if (volume === undefined || price === undefined) {
    problems.refuse("no awarded volume or no price per 30 min", "a file with both, as since April 2022");
    return null;
  }
  const capacityKw = options.capacity_kw ?? 0;
  const isFcr = sku === "fcr";
  const rows: string[][] = [];
  volume.timesMs.forEach((startMs, k) => {
    const awardedKw = Math.min(capacityKw, floorToTenth(1000 * volume.values[k]));
    if (!(awardedKw > 0)) return;
    // Upward reserve is more export, and export is negative; FCR is symmetric.
    const amount = isFcr ? awardedKw : -awardedKw;
    const id = `${sku}-${isoUtc(startMs).replaceAll(/[-:]/g, "").slice(0, 13)}Z`;
    const cellPrice = Number.isNaN(price.values[k]) ? "" : String(price.values[k]);
    rows.push([sku, isoUtc(startMs), isoUtc(volume.endsMs[k]), String(amount), cellPrice, id]);
  });
  if (rows.length === 0) problems.refuse("no awarded volume in the area", "a block with an awarded volume");
  const keys = ["sku", "start", "end", isFcr ? "fcr_response_kw" : "delta_kw", "price_jpy_per_kw_30min", "award_id"];
  const rule = `awards: ${capacityKw} kW or the awarded volume of the area, whichever is less, at its ${statistic} price`;
  return { kind: "records", keys, rows, notes: [...results.notes, rule] };
}

const floorToTenth = (kw: number): number => Math.floor(10 * kw + 1e-6) / 10;
