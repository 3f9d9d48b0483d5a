import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packLink, unpackLink } from "../../src/browser/link.ts";
import { bytesByPath, type Project } from "../../src/browser/project.ts";
import { runs } from "../depth.ts";

/** As another program makes a link. */
const linkOf = (json: unknown): string => `#p=1.${deflateRawSync(JSON.stringify(json)).toString("base64url")}`;

const jsonIn = (fragment: string): unknown =>
  JSON.parse(inflateRawSync(Buffer.from(fragment.slice("#p=1.".length), "base64url")).toString());

const hexByPath = ({ files }: Project): unknown =>
  [...bytesByPath(files)].map(([path, bytes]) => [path, Buffer.from(bytes).toString("hex")]);

const refusalOf = (fragment: string): string => {
  try {
    unpackLink(fragment);
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
};

const PROJECT = { entry: "s.yaml", files: { "s.yaml": "name: x\n" } };

describe("a link", () => {
  test("is raw deflate of JSON in base64url, which another program reads and makes", () => {
    const fragment = packLink(PROJECT);
    expect(fragment).toMatch(/^#p=1\.[\w-]+$/);
    expect(jsonIn(fragment)).toEqual(PROJECT);
    const patched = { ...PROJECT, patch: { "weights.vpp.*": 2, "sites.*.components.*.rated_cap": "*1.2" } };
    expect(jsonIn(packLink(patched))).toEqual(patched);
    expect(unpackLink(linkOf(patched))).toEqual(patched);
    for (const start of ["", "p=", "#p="]) expect(unpackLink(linkOf(PROJECT).replace("#p=", start))).toEqual(PROJECT);
  });

  test("keeps every byte of every file", () => {
    const files = {
      "crlf.csv": "a,b\r\n1,2\r\n",
      "marked.csv": "\uFEFF時刻,値\n",
      "cp932.csv": Uint8Array.of(0x8e, 0x9e, 0x8d, 0x8f, 0x0d, 0x0a),
      "data/日本.csv": new Uint8Array(),
      ["__proto__"]: "own",
    };
    const packed = packLink({ entry: "s.yaml", files });
    expect(hexByPath(unpackLink(packed))).toEqual(hexByPath({ entry: "s.yaml", files }));
    expect(jsonIn(packed)).toMatchObject({
      files: { "cp932.csv": { base64: "jp6Njw0K" }, "marked.csv": "\uFEFF時刻,値\n" },
    });
    const folder = join(import.meta.dirname, "../../scenarios/quickstart");
    const names = readdirSync(folder).filter((name) => /\.(yaml|csv)$/.test(name));
    const shipped = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
    expect(hexByPath(unpackLink(packLink({ entry: "scenario.yaml", files: shipped })))).toEqual(
      hexByPath({ entry: "scenario.yaml", files: shipped }),
    );
  });

  test("keeps drawn bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "binary" }), (bytes, text) => {
        const project = { entry: "s.yaml", files: { bytes, text } };
        expect(hexByPath(unpackLink(packLink(project)))).toEqual(hexByPath(project));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("is not made of more than a million characters, nor of more than 64 MB", () => {
    const drawn = Array.from({ length: 24_000 }, (_, k) => createHash("sha256").update(`${k}`).digest());
    const noise = Buffer.concat(drawn);
    expect(() => packLink({ entry: "s", files: { "n.bin": noise } })).toThrow(
      /^link: found a link of \d+ characters, allowed at most 1000000; download the zip$/,
    );
    expect(() => packLink({ entry: "s", files: { "n.csv": "0".repeat(65 * 1024 * 1024) } })).toThrow(
      "link: found a project of more than 64 MB, allowed at most 64 MB; download the zip",
    );
  });

  test("stops to unpack at 64 MB", () => {
    const bomb = linkOf({ entry: "s", files: { "n.csv": "0".repeat(65 * 1024 * 1024) } });
    expect(bomb.length).toBeLessThan(100_000);
    expect(refusalOf(bomb)).toBe("link: found more than 64 MB unpacked, allowed at most 64 MB");
  });

  test("of another version, or damaged, is refused with what would be right", () => {
    const good = packLink(PROJECT);
    expect(refusalOf(good.replace("1.", "2."))).toBe(
      "link: found version 2, allowed version 1, which this vppsim reads",
    );
    for (const other of ["", "#", "#example=quickstart", "#p=1"])
      expect(refusalOf(other)).toBe("link: found no project, allowed a link that begins with #p=1.");
    expect(refusalOf(good.replace(/.$/, "%"))).toBe(
      `link: found the character "%" at ${good.length}, allowed letters, digits, - and _ (base64url)`,
    );
    for (let length = "#p=1.".length; length < good.length; length++)
      expect(refusalOf(good.slice(0, length))).toMatch(/^link: found a link that was cut/);
    expect(refusalOf(linkOf("text"))).toBe('link: found no project, allowed {"entry": …, "files": {…}}');
    expect(refusalOf(linkOf({ files: {} }))).toContain('allowed the path of the scenario as "entry"');
    expect(refusalOf(linkOf({ entry: "s" }))).toContain('allowed texts by path as "files"');
    for (const content of [1, null, {}, { base64: 7 }, { base64: "!" }])
      expect(refusalOf(linkOf({ entry: "s", files: { s: content } }))).toBe(
        'link: found no content of "s", allowed a text or {"base64": …}',
      );
    for (const path of ["/etc/s", "../s", "C:\\s", "a/../../s"])
      expect(refusalOf(linkOf({ entry: "s", files: { [path]: "" } }))).toContain(
        "allowed relative paths within the project",
      );
    expect(refusalOf(linkOf({ ...PROJECT, patch: [1] }))).toContain("a patch without values");
  });

  test("with any change is a project or a refusal", () => {
    const good = packLink(PROJECT);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(..."AZaz09-_ %.é"), (at, character) => {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        try {
          unpackLink(changed);
        } catch (error) {
          expect((error as Error).name).toBe("InputErrors");
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
