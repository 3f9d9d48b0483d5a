import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findEncodingFault } from "../../src/base/decodeUtf8.ts";

/** 東京 (Tokyo) and ガス (gas) in the encodings of Japanese spreadsheets. */
const SHIFT_JIS = Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x83, 0x4b, 0x83, 0x58]);
const EUC_JP = Buffer.from([0xc5, 0xec, 0xb5, 0xfe, 0xa5, 0xac, 0xa5, 0xb9]);
const HEAD = Buffer.from("site,kw\na,1\nb,");

describe("text that is not UTF-8", () => {
  test.each([
    ["Shift_JIS", Buffer.concat([HEAD, SHIFT_JIS]), "CP932"],
    ["EUC-JP", Buffer.concat([HEAD, EUC_JP]), "EUC-JP"],
    ["Windows-1252", Buffer.concat([HEAD, Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72])]), "WINDOWS-1252"],
  ])("%s is recognised, with its first wrong byte", (_, bytes, seemsToBe) => {
    const fault = findEncodingFault(bytes);
    const offset = bytes.findIndex((byte) => byte > 127);
    expect(fault).toEqual({ offset, line: 3, column: offset - 11, byte: bytes[offset], seemsToBe });
  });

  test("UTF-16 is recognised with and without its byte order mark", () => {
    const little = Buffer.from("site,kw\n", "utf16le");
    const big = Buffer.from(little).swap16();
    const faults = [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), little, big].map(findEncodingFault);
    expect(faults.map((fault) => [fault?.seemsToBe, fault?.offset])).toEqual([
      ["UTF-16LE", 0],
      ["UTF-16LE", 1],
      ["UTF-16BE", 0],
    ]);
  });

  test("the first wrong byte is the one that a decoder stops at, wherever it is", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const wrong = fc.constantFrom([0xff], [0x93], [0xe3, 0x41], [0xc3], [0xf0, 0x9f, 0x92], [0xed, 0xa0, 0x80]);
    fc.assert(
      fc.property(text, wrong, text, (before, bytes, after) => {
        const start = Buffer.from(before.replaceAll("\0", ""));
        const end = Buffer.from(/^[\u0080-\u{10ffff}]/u.test(after) ? "" : after.replaceAll("\0", ""));
        expect(findEncodingFault(Buffer.concat([start, Buffer.from(bytes), end]))?.offset).toBe(start.length);
      }),
    );
  });

  test("UTF-8 has no fault, with or without a byte order mark", () => {
    for (const text of ["", "site,kw\n", "\ufeff東京", "💡é"]) expect(findEncodingFault(Buffer.from(text))).toBeNull();
  });
});
