import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzip } from "../../src/platform/browser/gunzip.ts";
import { MemoryDisk } from "../../src/platform/browser/memoryDisk.ts";
import * as paths from "../../src/platform/browser/paths.ts";

const part = fc.constantFrom("a", "b.csv", "..", ".", "", "長い名前", "c d");
const path = fc.tuple(fc.boolean(), fc.array(part, { maxLength: 6 })).map(([isAbsolute, parts]) => {
  const text = parts.join("/").replace(/^\/+/, "");
  return isAbsolute ? `/${text}` : text;
});

describe("paths in a browser", () => {
  test("are those of Node", () =>
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(paths.resolve("/w", one, other)).toBe(posix.resolve("/w", one, other));
        expect(paths.join("x", one, other)).toBe(posix.join("x", one, other).replace(/(.)\/$/, "$1"));
        expect(paths.relative(`/${one}`, `/${other}`)).toBe(posix.relative(`/${one}`, `/${other}`));
        expect(paths.isAbsolute(one)).toBe(posix.isAbsolute(one));
      }),
    ));

  test.each(["/a/b.csv", "b.csv", "/", "/a", "a/b/", ".hidden", "a.b.yaml"])("names of %s", (given) => {
    expect(paths.dirname(given)).toBe(posix.dirname(given));
    expect(paths.basename(given)).toBe(posix.basename(given));
    expect(paths.basename(given, ".csv")).toBe(posix.basename(given, ".csv"));
  });

  test("count from the working directory", () => {
    paths.enterFolder("/fleet");
    expect(paths.resolve("../data/w.csv")).toBe("/data/w.csv");
    paths.enterFolder("/");
    expect(paths.resolve("s.yaml")).toBe("/s.yaml");
  });
});

describe("gzip in a browser", () => {
  const content = Uint8Array.from({ length: 300_000 }, (_, k) => (k * k) % 251);
  const packed = new Uint8Array(gzipSync(content));

  test("is unpacked in pieces, members one after another", () => {
    expect(Buffer.compare(gunzip(packed, 1 << 20), content)).toBe(0);
    const both = Uint8Array.from([...packed, ...packed]);
    expect(Buffer.compare(gunzip(both, 1 << 20), Buffer.concat([content, content]))).toBe(0);
    expect(gunzip(new Uint8Array(gzipSync(new Uint8Array())), 1)).toEqual(new Uint8Array());
  });

  test("stops at the limit", () => expect(() => gunzip(packed, 1000)).toThrow(RangeError));

  test("is refused where it is cut or changed", () => {
    expect(() => gunzip(packed.subarray(0, -5), 1 << 20)).toThrow();
    expect(() => gunzip(packed.subarray(0, 5), 1 << 20)).toThrow();
    const changed = packed.slice();
    changed[changed.length - 6] ^= 1;
    expect(() => gunzip(changed, 1 << 20)).toThrow("the checksum differs");
  });
});

describe("a disk in memory", () => {
  const text = (bytes: Uint8Array | null | undefined) => new TextDecoder().decode(bytes ?? undefined);

  test("shows a report when it is published, and replaces the one before", () => {
    const disk = new MemoryDisk();
    disk.fill(new Map([["in/s.yaml", new TextEncoder().encode("x")]]));
    const first = disk.openReport("out");
    const [a, b] = [first.open("a.csv"), first.open("b.csv")];
    const buffer = new TextEncoder().encode("1");
    a.write(buffer);
    buffer[0]++;
    a.write(buffer);
    b.abort();
    expect([...disk.takeFilesIn("out").keys()]).toEqual([]);
    first.publish();
    expect([...disk.takeFilesIn("out")].map(([name, bytes]) => [name, text(bytes)])).toEqual([["a.csv", "12"]]);
    const second = disk.openReport("/out");
    second.open("c.csv").write(buffer);
    second.publish();
    expect([...disk.takeFilesIn("out").keys()]).toEqual(["c.csv"]);
    const third = disk.openReport("out");
    third.open("d.csv");
    third.discard();
    third.publish();
    expect([disk.isFolder("in"), disk.exists("in/s.yaml"), disk.exists("in/t.yaml"), disk.isFolder("out")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(text(disk.read("/in/s.yaml"))).toBe("x");
  });
});
