import { isUtf8 } from "node:buffer";
import { createRequire } from "node:module";
import { findEncodingFault } from "../../base/decodeUtf8.ts";
import { isGzip, unpackGzip } from "../../base/gzip.ts";
import type { FormatProblems } from "../formatProblem.ts";

/** Names of encodings as users write them, and as iconv-lite knows them. */
export const ENCODINGS = {
  "utf-8": "utf8",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  cp932: "cp932",
  "euc-jp": "euc-jp",
  "windows-1252": "windows-1252",
} as const;
export type EncodingName = keyof typeof ENCODINGS;
export const ENCODING_NAMES = Object.keys(ENCODINGS) as EncodingName[];

export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: EncodingName;
  readonly hasByteOrderMark: boolean;
}

/** Loaded with the first file, because most commands read none. */
const loadIconv = (): typeof import("iconv-lite") => createRequire(import.meta.url)("iconv-lite");

/** Replacement characters and private-use characters, which CP932 gives for bytes of other encodings. */
const IMPOSSIBLE = /[\uFFFD\uE000-\uF8FF]/;
const ZIP_SIGNATURE = Buffer.from("PK\u0003\u0004");

/**
 * Decodes a file, gzip-compressed or not: by its byte order mark, else UTF-16 by its zeros, else strict UTF-8, else CP932
 * (docs/model/formats.md#encodings).
 *
 * @param encoding given by the user, instead of detection
 * @returns `null` after reporting text that no encoding fits
 */
export function decodeBytes(
  content: Buffer,
  problems: FormatProblems,
  encoding: EncodingName | null,
): DecodedText | null {
  const bytes = unpack(content, problems);
  if (bytes === null) return null;
  const found = encoding ?? detectEncoding(bytes);
  const decoded = loadIconv().decode(bytes, ENCODINGS[found], { stripBOM: false });
  const hasByteOrderMark = decoded.startsWith("\uFEFF");
  const text = hasByteOrderMark ? decoded.slice(1) : decoded;
  if (text.includes("\0")) {
    problems.refuse(`zero bytes in ${found} text`, "a text file; binary workbooks (.xlsx) are saved as CSV first");
    return null;
  }
  const fault = text.search(IMPOSSIBLE);
  if (fault < 0) return { text, encoding: found, hasByteOrderMark };
  const before = text.slice(0, fault);
  const line = before.split("\n").length;
  problems.add("", () => ({
    line,
    column: fault - before.lastIndexOf("\n"),
    found: `bytes that are no ${found} text`,
    allowed: `UTF-8, UTF-16 or CP932 text, or the option encoding (${ENCODING_NAMES.join(", ")})`,
  }));
  return null;
}

function unpack(content: Buffer, problems: FormatProblems): Buffer | null {
  if (content.subarray(0, 4).equals(ZIP_SIGNATURE)) {
    problems.refuse("a ZIP archive or an .xlsx workbook", "the files inside it, unpacked; a workbook saved as CSV");
    return null;
  }
  if (!isGzip(content)) return content;
  const unpacked = unpackGzip(content);
  if ("bytes" in unpacked) return unpacked.bytes;
  problems.refuse(unpacked.wrong, "a complete gzip file of at most 1024 MiB unpacked, or the plain file");
  return null;
}

function detectEncoding(bytes: Buffer): EncodingName {
  const wide = isUtf8(bytes) && !bytes.includes(0) ? null : (findEncodingFault(bytes)?.seemsToBe ?? null);
  if (wide === "UTF-16LE") return "utf-16le";
  if (wide === "UTF-16BE") return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "cp932";
}

/** "UTF-8 with a byte order mark", "CP932". */
export const encodingText = ({ encoding, hasByteOrderMark }: DecodedText): string =>
  `${encoding.toUpperCase()}${hasByteOrderMark ? " with a byte order mark" : ""}`;
