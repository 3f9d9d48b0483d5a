import { latin1Text, utf8Text } from "../../../base/bytes.ts";
import { encodingFaultText, findEncodingFault, wideEncoding } from "../../../base/decodeUtf8.ts";
import type { ErrorCollector } from "../../../base/inputError.ts";

/**
 * The text of a file without its byte order mark, in Unicode normal form C, so that a name that is written with combined
 * and with separate marks is one name. Text that is not UTF-8 is an error: read as UTF-8, its characters
 * would be lost in names and labels (docs/model/scenario-format.md#encoding).
 *
 * @returns `null` after reporting the first wrong byte
 */
export function decodeText(file: string, content: Uint8Array, errors: ErrorCollector): string | null {
  return isText(file, content, errors)
    ? utf8Text(content)
        .replace(/^\uFEFF/, "")
        .normalize()
    : null;
}

/** The same check without the text, for files that are read as bytes. */
export function isText(file: string, content: Uint8Array, errors: ErrorCollector): boolean {
  const binary = describeBinary(content);
  if (binary !== null) {
    errors.report({ file, line: 0, column: 0, keyPath: "", ...binary });
    return false;
  }
  const fault = findEncodingFault(content);
  if (fault === null) return true;
  const { line, column, seemsToBe } = fault;
  const allowed = `UTF-8 text${seemsToBe === null ? "" : `, as from: iconv -f ${seemsToBe} -t UTF-8 ${file}`}`;
  errors.report({ file, line, column, keyPath: "", found: encodingFaultText(fault), allowed });
  return false;
}

/** First bytes, as latin1, of binary files that users often pass as text; the file type, and the remedy. */
const BINARY_FILES: readonly (readonly [start: string, found: string, remedy: string])[] = [
  ["\x1f\x8b", "gzip data", "unpack it (gunzip)"],
  ["PK\x03\x04", "a ZIP archive or an .xlsx workbook", "unpack it; save a workbook as CSV UTF-8"],
  ["\xd0\xcf\x11\xe0", "an .xls workbook", "save it as CSV UTF-8"],
  ["PAR1\x15", "a Parquet file", "convert it to CSV"],
  ["BZh91AY&SY", "bzip2 data", "unpack it (bunzip2)"],
  ["\xfd7zXZ", "xz data", "unpack it (unxz)"],
  ["(\xb5/\xfd", "Zstandard data", "unpack it (unzstd)"],
  ["%PDF-", "a PDF file", "export it as CSV"],
];
/** Number of first bytes that are searched for a zero byte, which no text contains. */
const HEAD_BYTES = 8_000;

/** `null` for a file that may be text. */
function describeBinary(content: Uint8Array): { readonly found: string; readonly allowed: string } | null {
  const start = latin1Text(content.subarray(0, 10));
  const known = BINARY_FILES.find(([bytes]) => start.startsWith(bytes));
  if (known !== undefined) return { found: known[1], allowed: `UTF-8 text: ${known[2]}` };
  const zeroAt = content.subarray(0, HEAD_BYTES).indexOf(0);
  if (zeroAt < 0 || wideEncoding(content) !== null) return null;
  return { found: `binary data (a zero byte at offset ${zeroAt})`, allowed: "UTF-8 text" };
}
