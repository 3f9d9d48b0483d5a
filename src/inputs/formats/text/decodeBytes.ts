import { platform } from "#platform";
import { latin1Text, startsWith, utf8Bytes, utf8Text } from "../../../base/bytes.ts";
import { isUtf8, wideEncoding } from "../../../base/decodeUtf8.ts";
import { isGzip, unpackGzip } from "../../../base/gzip.ts";
import { type FormatProblems, quoteCell } from "../formatProblem.ts";
import { binaryFile } from "./binaryFile.ts";

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
  /** Of the file, unpacked. */
  readonly bytes: Uint8Array;
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: EncodingName;
  readonly hasByteOrderMark: boolean;
  /** Whether the XML declaration of the file names the encoding. */
  readonly isDeclared: boolean;
}

/** Encodings by the names that XML declarations use, in lower case. */
const XML_ENCODINGS = new Map<string, EncodingName>([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["shift_jis", "cp932"],
  ["shift-jis", "cp932"],
  ["sjis", "cp932"],
  ["x-sjis", "cp932"],
  ["windows-31j", "cp932"],
  ["ms932", "cp932"],
  ["cp932", "cp932"],
  ["euc-jp", "euc-jp"],
  // The control characters that ISO 8859-1 has beyond Windows-1252 stand in no XML.
  ["iso-8859-1", "windows-1252"],
  ["windows-1252", "windows-1252"],
]);
const XML_DECLARATION = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;
const XML_DECLARATION_BYTES = 400;

/** Zeros, replacement characters, and the private-use characters into which CP932 decodes bytes of other encodings. */
const IMPOSSIBLE = /[\0\uFFFD\uE000-\uF8FF]/;
/** Bytes of the longest UTF-8 character. */
const LONGEST_CHARACTER = 4;

/**
 * Decodes a file, gzip-compressed or not: by its byte order mark, else UTF-16 by its zeros, else as an XML declaration says,
 * else strict UTF-8, else CP932 (docs/model/formats.md#encodings).
 *
 * @param encoding given by the user, instead of detection
 * @returns `null` after reporting text that no encoding fits
 */
export function decodeBytes(
  content: Uint8Array,
  problems: FormatProblems,
  encoding: EncodingName | null,
): DecodedText | null {
  const bytes = unpack(content, problems);
  if (bytes === null) return null;
  const declared = encoding === null ? declaredEncoding(bytes, problems) : null;
  if (declared === undefined) return null;
  const found = encoding ?? declared ?? detectEncoding(bytes);
  if (found.startsWith("utf-16") && bytes.length % 2 === 1) {
    problems.refuse(`half a character at the end of ${found} text`, "the whole file: download or copy it again");
    return null;
  }
  const decoded =
    found === "utf-8" ? utf8Text(bytes) : platform.iconv().decode(bytes, ENCODINGS[found], { stripBOM: false });
  const hasByteOrderMark = decoded.startsWith("\uFEFF");
  const text = hasByteOrderMark ? decoded.slice(1) : decoded;
  const fault = text.search(IMPOSSIBLE);
  if (fault < 0 && isWebPage(text)) refuseWebPage(text, problems);
  else if (fault < 0) return { bytes, text, encoding: found, hasByteOrderMark, isDeclared: declared !== null };
  else reportFault(problems, { text, fault, encoding: found, isDeclared: declared !== null });
  return null;
}

const isWebPage = (text: string): boolean =>
  /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body)[\s>]/i.test(text);

/** Refuses a web page: a server may answer a download with one, which is then saved under the name of the file. */
function refuseWebPage(text: string, problems: FormatProblems): void {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1].trim() ?? "";
  const titleText = title === "" ? "" : ` with the title ${quoteCell(title)}`;
  problems.refuse(`a web page (HTML)${titleText}`, "the data file itself: download it again");
}

interface TextFault {
  readonly text: string;
  /** Index of the first impossible character. */
  readonly fault: number;
  readonly encoding: EncodingName;
  readonly isDeclared: boolean;
}

function reportFault(problems: FormatProblems, { text, fault, encoding, isDeclared }: TextFault): void {
  const before = text.slice(0, fault);
  const place = { line: before.split("\n").length, column: fault - before.lastIndexOf("\n") };
  if (text[fault] === "\0") {
    const allowed = "a text file without zero bytes; binary workbooks (.xlsx) are saved as CSV first";
    problems.add("", () => ({ ...place, found: `a zero byte in ${encoding} text`, allowed }));
    return;
  }
  const isCut = text.length - fault <= LONGEST_CHARACTER;
  const found = `bytes that are no ${encoding} text${isDeclared ? ", which the XML declaration names" : ""}`;
  const allowed = isCut
    ? "a whole character at the end of the file, which seems to be cut off: fetch it again"
    : `UTF-8, UTF-16 or CP932 text, or the option encoding (${ENCODING_NAMES.join(", ")})`;
  problems.add("", () => ({ ...place, found, allowed }));
}

function unpack(content: Uint8Array, problems: FormatProblems): Uint8Array | null {
  const binary = binaryFile(content);
  if (binary !== undefined) {
    problems.refuse(binary.what, binary.allowed);
    return null;
  }
  if (!isGzip(content)) return content;
  const unpacked = unpackGzip(content);
  if ("bytes" in unpacked) return unpacked.bytes;
  problems.refuse(unpacked.wrong, "a complete gzip file of at most 1024 MiB unpacked, or the plain file");
  return null;
}

/**
 * The encoding that an XML declaration names. A byte order mark and the zeros of UTF-16 are certain and go first; a declaration
 * of UTF-16 that can be read byte by byte is wrong (docs/model/formats.md#encodings).
 *
 * @returns `null` without a declaration that applies, `undefined` after reporting an unknown encoding
 */
function declaredEncoding(bytes: Uint8Array, problems: FormatProblems): EncodingName | null | undefined {
  if (hasUtf8Mark(bytes)) return null;
  const name = XML_DECLARATION.exec(latin1Text(bytes.subarray(0, XML_DECLARATION_BYTES)))?.[1].toLowerCase();
  if (name === undefined || /^utf-?16/.test(name)) return null;
  const known = XML_ENCODINGS.get(name);
  if (known === undefined)
    problems.refuse(
      `an XML declaration with the encoding ${name}`,
      `a known encoding, or the option encoding (${ENCODING_NAMES.join(", ")})`,
      "encoding",
    );
  return known;
}

const UTF8_MARK = utf8Bytes("\uFEFF");
const hasUtf8Mark = (bytes: Uint8Array): boolean => startsWith(bytes, UTF8_MARK);

/** The encoding that the bytes show. */
export function detectEncoding(bytes: Uint8Array): EncodingName {
  if (hasUtf8Mark(bytes)) return "utf-8";
  const wide = wideEncoding(bytes);
  if (wide === "UTF-16LE") return "utf-16le";
  if (wide === "UTF-16BE") return "utf-16be";
  return isUtf8(withoutCutCharacter(bytes)) ? "utf-8" : "cp932";
}

/** Removes an incomplete UTF-8 character at the end, if there are complete ones before it. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let length = 1; length < LONGEST_CHARACTER && length < bytes.length; length++) {
    const first = bytes[bytes.length - length];
    const rest = bytes.subarray(0, bytes.length - length);
    if (first < 0x80) return bytes;
    if (first >= 0xc2) return rest.some((byte) => byte >= 0x80) ? rest : bytes;
  }
  return bytes;
}

/** "UTF-8 with a byte order mark", "CP932", "CP932 by the XML declaration". */
export function encodingText({ encoding, hasByteOrderMark, isDeclared }: DecodedText): string {
  const reason = hasByteOrderMark ? " with a byte order mark" : isDeclared ? " by the XML declaration" : "";
  return `${encoding.toUpperCase()}${reason}`;
}
