import type { FileFormat, FileSample } from "./fileFormat.ts";
import { jepxSpot } from "./japan/jepx/jepxSpot.ts";
import { normaliseName } from "./text/normaliseText.ts";

/** Every format; `--detect` and errors list them in this order. */
export const FORMATS: readonly FileFormat[] = [jepxSpot];

export const FORMAT_IDS: readonly string[] = FORMATS.map(({ id }) => id);

export const formatById = (id: string): FileFormat | null => FORMATS.find((format) => format.id === id) ?? null;

/** What a file seems to be: formats with a score above 0, the best first. */
export function detectFormats(
  name: string,
  text: string,
): readonly { readonly format: FileFormat; readonly score: number }[] {
  const sample: FileSample = { name, text, head: headOf(text) };
  return FORMATS.map((format) => ({ format, score: format.detect(sample) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

const HEAD_LINES = 40;
const HEAD_CHARACTERS = 40_000;

/** The first lines without width, blanks and quotes. */
const headOf = (text: string): string =>
  text
    .slice(0, HEAD_CHARACTERS)
    .split(/\r?\n/, HEAD_LINES)
    .map((line) => normaliseName(line).replaceAll('"', ""))
    .join("\n");
