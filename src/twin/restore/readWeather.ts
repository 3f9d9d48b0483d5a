import { inputRefusal } from "../../base/inputError.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { readMeasured } from "../measured/measuredFile.ts";
import type { MeasuredColumn } from "../measured/measuredSeries.ts";
import type { Weather } from "./documents.ts";

const COLUMNS: readonly MeasuredColumn[] = ["ghi_w_m2", "temp_air_c", "wind_m_s"];

/** Reads the file of `--weather`, a measured file of its own. @throws InputErrors */
export async function readWeather(file: string): Promise<Weather> {
  const { sites } = await readMeasured([file], { files: diskFiles, siteNames: ["weather"] });
  const table = sites.get("weather")?.main;
  const columns = new Map([...(table?.columns ?? [])].filter(([name]) => COLUMNS.includes(name)));
  if (table === undefined || columns.size === 0)
    throw inputRefusal(file, "no weather", `a column of ${COLUMNS.join(", ")}`);
  return { timesMs: table.timesMs, columns };
}
