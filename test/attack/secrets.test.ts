import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseServeSettings, type ServeFlags } from "../../src/cli/serveFlags.ts";
import { estimatedBits, SECRET_BITS_MIN } from "../../src/session/secretStrength.ts";
import { tinyServedScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const STRONG = "f81d4fae7dec11d0a76500a0c91e6bf6";
const OTHER = "9b2c6e01d7f34a58b0c1e2978fda6435";

describe("the estimated entropy of a secret", () => {
  test.each([
    ["", 0],
    ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 10],
    ["12345678901234567890123456789012", 20],
    ["password", 0],
    ["change-me", 0],
    ["Secret-Token-Password-Sandbox-2026", 60],
    ["abcabcabcabcabcabcabcabcabcabcabcabc", 20],
    ["correct horse battery staple", 80],
    ["correct-horse-battery-staple-2026", 95],
    ["2026-11-22", 40],
    ["tokyo-vpp-01", 45],
    ["P4$w0rd!", 55],
  ])("%j is below %d bits", (secret, bits) => expect(estimatedBits(secret)).toBeLessThanOrEqual(bits));

  test("1,000 random secrets of 128 bits in hexadecimal, as UUID and of 256 bits in base64 suffice", () => {
    for (let k = 0; k < 1_000; k++) {
      const bytes = createHash("sha256").update(`secret ${k}`).digest();
      const hex = bytes.subarray(0, 16).toString("hex");
      const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      for (const secret of [hex, uuid, hex.toUpperCase(), bytes.toString("base64"), bytes.toString("base64url")])
        expect([secret, estimatedBits(secret) >= SECRET_BITS_MIN]).toEqual([secret, true]);
    }
  });

  test("a diceware word counts with at most its entropy", () => {
    // Eight words of 12.9 bits each have 103 bits.
    expect(estimatedBits("cleft cam synod lacy yr wok bingo avid")).toBeLessThan(103);
  });
});

describe("the secrets of serve", () => {
  let folder = "";
  beforeAll(() => {
    folder = createTemporaryFolder("secrets");
    writeFileSync(join(folder, "strong"), `${STRONG}\n`);
    writeFileSync(join(folder, "weak"), "hunter2\n");
    writeFileSync(join(folder, "empty"), "\n");
    writeFileSync(join(folder, "lines"), `${STRONG}\n${STRONG}\n`);
  });

  const { scenario } = tinyServedScenario();
  const plain: ServeFlags = { host: "127.0.0.1", port: 0, authPort: 0, rateLimits: "on" };
  const settings = (flags: Partial<ServeFlags>) => parseServeSettings({ ...plain, ...flags }, scenario);
  const complaintOf = (flags: Partial<ServeFlags>): string => {
    try {
      settings(flags);
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };

  test("a named pipe and a device as the file of a secret are refused at once", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(complaintOf({ sandboxTokenFile: pipe })).toContain(`${pipe}: found a named pipe, allowed a regular file`);
    expect(complaintOf({ tokenSecretFile: "/dev/zero" })).toContain(
      "/dev/zero: found a device, allowed a regular file",
    );
  });

  test.each<Partial<ServeFlags>>([
    { host: "0.0.0.0" },
    { host: "::" },
    { host: "192.168.1.5" },
    { host: "grid.example" },
    { allowHost: ["grid.example"] },
  ])("short and guessable ones are refused with %j", (exposure) => {
    for (const weak of ["x", "s3cret", "password1234567890", "a".repeat(100), "correct horse battery staple"]) {
      const complaint = complaintOf({ ...exposure, sandboxToken: weak, tokenSecret: weak });
      expect(complaint).toMatch(/^--sandbox-token: found \d+ characters with about \d+ bits of entropy, with --/);
      expect(complaint).toContain("--token-secret: found");
      expect(complaint).toContain(`allowed at least ${SECRET_BITS_MIN} bits of estimated entropy`);
      expect(complaint).not.toContain(weak === "x" ? '"x"' : weak);
    }
    expect(complaintOf(exposure)).toContain("VPPSIM_TOKEN_SECRET or --token-secret");
    expect(settings({ ...exposure, sandboxToken: STRONG, tokenSecret: OTHER })).toMatchObject({
      sandboxToken: STRONG,
      tokenSecret: OTHER,
    });
  });

  test("on the loopback a short one is accepted; an empty one, or one that is no valid header, is not", () => {
    expect(settings({ sandboxToken: "x", tokenSecret: "y" })).toMatchObject({ sandboxToken: "x", tokenSecret: "y" });
    expect(settings({ allowHost: ["localhost"] })).toMatchObject({ sandboxToken: null, tokenSecret: null });
    for (const secret of ["", " ", "a ", "a\nb", "ä", "\0"]) {
      expect(complaintOf({ sandboxToken: secret })).toMatch(/^--sandbox-token: found (an empty text|a character)/);
      expect(complaintOf({ tokenSecret: secret })).toMatch(/^--token-secret: found (an empty text|a character)/);
    }
  });

  test("a file gives one, without the line feed at its end", () => {
    const file = (name: string) => join(folder, name);
    expect(settings({ sandboxTokenFile: file("strong"), tokenSecretFile: file("weak") })).toMatchObject({
      sandboxToken: STRONG,
      tokenSecret: "hunter2",
    });
    expect(complaintOf({ sandboxTokenFile: file("none") })).toContain("--sandbox-token-file: found");
    expect(complaintOf({ tokenSecretFile: file("empty") })).toContain("--token-secret-file: found an empty text");
    expect(complaintOf({ tokenSecretFile: file("lines") })).toContain("printable ASCII characters in one line");
    expect(complaintOf({ tokenSecretFile: folder })).toContain("cannot be read (EISDIR)");
    const weak = complaintOf({ host: "::", sandboxTokenFile: file("weak"), tokenSecretFile: file("strong") });
    expect(weak).toMatch(/^--sandbox-token-file: found 7 characters with about \d+ bits/);
    expect(weak).not.toContain("hunter2");
  });
});
