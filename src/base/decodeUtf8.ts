import { platform } from "#platform";

export const isUtf8 = (bytes: Uint8Array): boolean => platform.isUtf8(bytes);

/** The first byte of a text that is not UTF-8. */
interface EncodingFault {
  /** Counted from 0. */
  readonly offset: number;
  /** Counted from 1; the column in bytes. */
  readonly line: number;
  readonly column: number;
  readonly byte: number;
  /** Name for `iconv -f`; `null` where no known encoding fits. */
  readonly seemsToBe: string | null;
}

const LF = 10;

/** The first fault of a text, or `null` for UTF-8. */
export function findEncodingFault(bytes: Uint8Array): EncodingFault | null {
  const wide = wideEncoding(bytes);
  if (wide === null && isUtf8(bytes)) return null;
  const offset =
    wide === null
      ? firstInvalidByte(bytes)
      : Math.max(
          0,
          bytes.findIndex((byte) => byte === 0 || byte > 127),
        );
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(LF) + 1;
  let line = 1;
  for (let at = before.indexOf(LF); at >= 0; at = before.indexOf(LF, at + 1)) line++;
  const column = offset - lineStart + 1;
  return {
    offset,
    line,
    column,
    byte: bytes[offset],
    seemsToBe: wide ?? eastAsianEncoding(sampleAround(bytes, offset)),
  };
}

/** UTF-16 has a byte order mark, or a zero in every other byte of plain text. @returns its name, or `null` */
export function wideEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16BE";
  const head = bytes.subarray(0, 64);
  const zerosAt = (parity: number) => head.filter((byte, k) => k % 2 === parity && byte === 0).length;
  if (head.length < 4 || zerosAt(0) + zerosAt(1) < head.length / 4) return null;
  return zerosAt(1) > zerosAt(0) ? "UTF-16LE" : "UTF-16BE";
}

/** Bisection: a prefix that ends within a character is not valid either, so the end is moved back to a whole one. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (valid < invalid) {
    const middle = (valid + invalid + 1) >>> 1;
    if (isUtf8(bytes.subarray(0, wholeCharacters(bytes, middle)))) valid = middle;
    else invalid = middle - 1;
  }
  const whole = wholeCharacters(bytes, valid);
  return Math.min(whole, bytes.length - 1);
}

/** End of the last whole character before a position, judged by lead bytes. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back];
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? end - back : end;
  }
  return end;
}

/**
 * Candidates in order of preference: their bytes overlap, so that of two that fit the one with more Japanese text wins.
 * CP932 has all of Shift_JIS and `①`, at which a converter of Shift_JIS stops.
 */
const ENCODINGS = [
  ["shift_jis", "CP932"],
  ["euc-jp", "EUC-JP"],
] as const;
/** Hiragana, katakana, common ideographs and full-width forms, but not the half-width katakana that any bytes give. */
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g;

/** Text from a little before a position on, enough for a guess in little time. */
const sampleAround = (bytes: Uint8Array, offset: number): Uint8Array => {
  const start = Math.max(0, offset - SAMPLE_BYTES / 4);
  return bytes.subarray(wholeCharacters(bytes, start), start + SAMPLE_BYTES);
};

const SAMPLE_BYTES = 65_536;

function eastAsianEncoding(bytes: Uint8Array): string {
  let best = "WINDOWS-1252";
  let mostCharacters = 0;
  for (const [label, name] of ENCODINGS) {
    const text = decode(label, bytes);
    const count = text?.match(JAPANESE)?.length ?? 0;
    if (count <= mostCharacters) continue;
    mostCharacters = count;
    best = name;
  }
  return best;
}

function decode(label: string, bytes: Uint8Array): string | null {
  try {
    // A character that the sample cuts in two is no fault.
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** "byte 0x83 at offset 120, which is not UTF-8 (the text seems to be CP932)". */
export function encodingFaultText({ byte, offset, seemsToBe }: EncodingFault): string {
  const guess = seemsToBe === null ? "" : ` (the text seems to be ${seemsToBe})`;
  return `byte 0x${byte.toString(16).padStart(2, "0").toUpperCase()} at offset ${offset}, which is not UTF-8${guess}`;
}
