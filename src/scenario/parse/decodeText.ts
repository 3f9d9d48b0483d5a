import { encodingFaultText, findEncodingFault } from "../../base/decodeUtf8.ts";
import type { ErrorCollector } from "./errorCollector.ts";

/**
 * The text of a file without its byte order mark. Text that is not UTF-8 is an error: read as UTF-8, its characters
 * would be lost in names and labels (docs/model/scenario-format.md#encoding).
 *
 * @returns `null` after reporting the first wrong byte
 */
export function decodeText(file: string, content: Buffer, errors: ErrorCollector): string | null {
  return isText(file, content, errors) ? content.toString("utf8").replace(/^\uFEFF/, "") : null;
}

/** The same check without the text, for files that are read as bytes. */
export function isText(file: string, content: Buffer, errors: ErrorCollector): boolean {
  const fault = findEncodingFault(content);
  if (fault === null) return true;
  const { line, column, seemsToBe } = fault;
  const allowed = `UTF-8 text${seemsToBe === null ? "" : `, as from: iconv -f ${seemsToBe} -t UTF-8 ${file}`}`;
  errors.report({ file, line, column, keyPath: "", found: encodingFaultText(fault), allowed });
  return false;
}
