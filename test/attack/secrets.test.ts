import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseServeSettings, type ServeFlags } from "../../src/cli/serveFlags.ts";
import { tinyServedScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const STRONG = "f81d4fae7dec11d0a76500a0c91e6bf6";
const OTHER = "9b2c6e01d7f34a58b0c1e2978fda6435";

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
  ])("short ones are refused with %j", (exposure) => {
    for (const weak of ["x", "s3cret", STRONG.slice(1)]) {
      const complaint = complaintOf({ ...exposure, sandboxToken: weak, tokenSecret: weak });
      expect(complaint).toMatch(/^--sandbox-token: found \d+ characters, with --/);
      expect(complaint).toContain("--token-secret: found");
      expect(complaint).toContain('allowed at least 32 characters, such as the output of "openssl rand -hex 32"');
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
    expect(weak).toMatch(/^--sandbox-token-file: found 7 characters, with --host ::/);
    expect(weak).not.toContain("hunter2");
  });
});
