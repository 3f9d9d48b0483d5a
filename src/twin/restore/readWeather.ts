import { inputRefusal } from "../../base/inputError.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { readMeasured } from "../measured/measuredFile.ts";
import type { Weather } from "./documents.ts";

const COLUMNS = ["ghi_w_m2", "temp_air_c", "wind_m_s"] as const;

/** Reads the file of `--weather`, a measured file of its own. @throws InputErrors */
export async function readWeather(file: string): Promise<Weather> {
  const { sites } = await readMeasured([file], { files: diskFiles, siteNames: ["weather"] });
  const table = sites.get("weather")?.main;
  const found = COLUMNS.filter((name) => table?.columns.has(name));
  if (table === undefined || found.length === 0)
    throw inputRefusal(file, "no weather", `a column of ${COLUMNS.join(", ")}`);
  const rowOf = new Map(Array.from(table.timesMs, (atMs, row) => [atMs, row]));
  return {
    columns: found,
    cellsAt: (atMs) => {
      const row = rowOf.get(atMs);
      return found.map((name) => (row === undefined ? "" : cellOf(table.columns.get(name)?.[row]))).join(",");
    },
  };
}

const cellOf = (value = Number.NaN): string => (Number.isNaN(value) ? "" : `${value}`);
