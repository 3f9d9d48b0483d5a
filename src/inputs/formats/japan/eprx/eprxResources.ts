import { ownValue } from "../../../../base/ownValue.ts";
import type { FileFormat } from "../../fileFormat.ts";
import { EPRX_TERMS, type EprxFile } from "./eprxFile.ts";
import { type EprxScope, readEprxTable } from "./readEprxTable.ts";

const RESOURCES: Readonly<Record<string, string>> = {
  火力発電: "thermal",
  "水力・揚水発電": "hydro",
  蓄電池: "battery",
  VPP: "vpp",
  合計: "total",
};

/** National results by type of resource: `YYYYMM_<p>_rt_prompt.csv`. */
export const eprxResources: FileFormat = {
  id: "eprx_resources",
  title: "EPRX results by type of resource (YYYYMM_<product>_rt_prompt.csv)",
  terms: EPRX_TERMS,
  options: ["encoding"],
  detect: ({ head }) => (/^TT,取引情報,火力発電/m.test(head) ? 1 : 0),
  read: (content) => readEprxTable(content, { scopesOf, isWanted: () => true }),
};

const scopesOf = ({ names }: EprxFile): EprxScope[] =>
  names.flatMap((source, index) => {
    const suffix = ownValue(RESOURCES, source);
    return suffix === undefined ? [] : [{ index, source, suffix }];
  });
