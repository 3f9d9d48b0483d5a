import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { vppAddressOf } from "../../src/cli/twinAccess.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const [ONE, TWO] = ["1", "2"].map((digit) => digit.repeat(32));
const FLAGS = { vpp: ONE, authUrl: "http://vpp.example:8081/", token: "of-the-vpp" };

/** The address with a file of tokens of sites. */
function addressWith(sites: string, flags: object = {}) {
  const siteTokens = join(createTemporaryFolder("secret-folder"), "secret-name.csv");
  writeFileSync(siteTokens, sites);
  return vppAddressOf("http://vpp.example:8080/", { ...FLAGS, siteTokens, ...flags });
}

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof InputErrors) return error.message;
    throw error;
  }
  return "accepted";
}

describe("access to a VPP", () => {
  test("is where the flags and the file of sites say", () => {
    const csv = `\ufeffrefresh_token,ems_id,base_url,note\r\nsecret-a,${ONE},http://a.example/,x\r\n\r\n"secret-b",${TWO},,\r\n`;
    const { baseUrl, authUrl, token, siteTokens } = addressWith(csv);
    expect({ baseUrl, authUrl, token }).toEqual({
      baseUrl: "http://vpp.example:8080",
      authUrl: "http://vpp.example:8081",
      token: { token: "of-the-vpp", place: "--token" },
    });
    expect([...siteTokens]).toEqual([
      [ONE, { token: "secret-a", place: "--site-tokens, line 2", baseUrl: "http://a.example" }],
      [TWO, { token: "secret-b", place: "--site-tokens, line 4" }],
    ]);
  });

  test.each([
    ["another header", `id,refresh_token\n${ONE},secret-a\n`, "--site-tokens:1:1: found another header"],
    ["no rows", "", "--site-tokens:1:1: found another header"],
    ["another id", "ems_id,refresh_token\nsecret-id,secret-a\n", "--site-tokens:2:1: found an ems_id of another form"],
    [
      "a site twice",
      `ems_id,refresh_token\n${ONE},secret-a\n${ONE},secret-b\n`,
      `--site-tokens:3:1: found ${ONE} a second time`,
    ],
    ["no token", `ems_id,refresh_token\n${ONE},\n`, "--site-tokens:2:1: found no refresh token"],
    [
      "no address",
      `ems_id,refresh_token,base_url\n${ONE},secret-a,ftp://a.example\n`,
      'found "ftp://a.example", allowed an address such as https://vpp.example',
    ],
  ])("is refused at its line, without a secret: %s", (_, csv, message) => {
    const refusal = refusalOf(() => addressWith(csv));
    expect(refusal).toContain(message);
    expect(refusal).not.toContain("secret");
  });

  test("is refused without the name of a file that cannot be read", () => {
    const folder = createTemporaryFolder("secret-folder");
    for (const flag of ["tokenFile", "siteTokens"] as const) {
      const missing = refusalOf(() => vppAddressOf("http://a.example", { ...FLAGS, [flag]: join(folder, "none") }));
      expect(missing).toContain("found a file that cannot be read (ENOENT)");
      const directory = refusalOf(() => vppAddressOf("http://a.example", { ...FLAGS, [flag]: folder }));
      expect(directory).toContain("found a file that cannot be read (EISDIR)");
      for (const refusal of [missing, directory]) expect(refusal).not.toContain("secret");
    }
    expect(refusalOf(() => vppAddressOf("http://a.example", { vpp: ONE, authUrl: "http://a.example" }))).toBe(
      "--token-file: found no refresh token, allowed a file with it, or VPPSIM_TWIN_TOKEN",
    );
  });
});
