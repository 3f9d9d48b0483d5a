import { utf8Text } from "../../base/bytes.ts";
import { join } from "../../base/paths.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { InputFiles } from "../../platform/files.ts";
import type { ParameterRow } from "./checkPage.ts";

/** What a check reads of calibration.json. */
interface Calibration {
  readonly parameters: readonly ParameterRow[];
  /** Parameter sets of resamples. */
  readonly draws: readonly Patch[];
}

const FORMAT = "vppsim-calibration";

/** The calibration in a folder; `null`: there is none. */
export function readCalibration(folder: string, files: InputFiles): Calibration | null {
  const bytes = files.read(join(folder, "calibration.json"));
  const content = bytes === null ? null : JSON.parse(utf8Text(bytes));
  return content?.format === FORMAT ? content : null;
}
