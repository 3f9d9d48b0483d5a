import { describe, expect, test } from "vitest";
import { packZip, unpackZip } from "../../src/browser/zip.ts";

const FILES = { "run.json": "{}\n", "project/fleet/日本.csv": Uint8Array.of(1, 2, 3), "awards.csv": "" };

describe("a zip", () => {
  test("holds files as they are, in order of their paths, with the time 1980-01-01", () => {
    const zip = Buffer.from(packZip(FILES));
    expect(
      [...unpackZip("report.zip", zip)].map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]),
    ).toEqual([
      ["awards.csv", ""],
      ["project/fleet/日本.csv", "\x01\x02\x03"],
      ["run.json", "{}\n"],
    ]);
    expect(packZip(Object.fromEntries(Object.entries(FILES).reverse()))).toEqual(packZip(FILES));
    // APPNOTE.TXT 4.3.7: signature, version, flags, method, time, date
    expect(zip.readUInt32LE(0)).toBe(0x04034b50);
    expect([zip.readUInt16LE(8), zip.readUInt16LE(10), zip.readUInt16LE(12)]).toEqual([0, 0, (1 << 5) | 1]);
  });

  test("has the same bytes in every time zone", () => {
    const before = process.env.TZ;
    const here = packZip({ a: "b" });
    const offsets = ["Pacific/Kiritimati", "America/Los_Angeles"].map((zone) => {
      process.env.TZ = zone;
      expect(packZip({ a: "b" })).toEqual(here);
      return new Date(1980, 0, 1).getTimezoneOffset();
    });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    expect(offsets[0]).not.toBe(offsets[1]);
  });
});
