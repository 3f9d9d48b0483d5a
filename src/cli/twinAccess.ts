import { readFileSync } from "node:fs";
import { errorCode } from "../base/errorCode.ts";
import { inputRefusal } from "../base/inputError.ts";
import { refuseIrregularFile } from "../platform/node/diskFiles.ts";
import type { SiteToken, TokenSource } from "../twin/openVpp.ts";

/** Flags of the commands that read a VPP. */
export interface AccessFlags {
  readonly vpp: string;
  readonly authUrl: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly siteTokens?: string;
}

interface VppAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly vppId: string;
  readonly token: TokenSource;
  readonly siteTokens: ReadonlyMap<string, SiteToken>;
}

const ID = /^[0-9a-f]{32}$/;

/** Checks the flags and reads the secrets; no message has a secret. @throws InputErrors */
export function vppAddressOf(baseUrl: string, flags: AccessFlags): VppAddress {
  if (!ID.test(flags.vpp)) throw inputRefusal("--vpp", JSON.stringify(flags.vpp), "32 lowercase hexadecimal digits");
  return {
    baseUrl: checkedUrl("<base-url>", baseUrl),
    authUrl: checkedUrl("--auth-url", flags.authUrl),
    vppId: flags.vpp,
    token: tokenOf(flags),
    siteTokens: flags.siteTokens === undefined ? new Map() : siteTokensOf(flags.siteTokens),
  };
}

function checkedUrl(place: string, text: string): string {
  const allowed = "an address such as https://vpp.example, without a user, a query or a fragment";
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw inputRefusal(place, JSON.stringify(text), allowed);
  if (url.username + url.password + url.search + url.hash !== "")
    throw inputRefusal(place, "an address with a user, a query or a fragment", allowed);
  return text.replace(/\/+$/, "");
}

function tokenOf({ token, tokenFile }: AccessFlags): TokenSource {
  if (tokenFile !== undefined) return { token: secretIn("--token-file", tokenFile).trim(), place: "--token-file" };
  if (token !== undefined && token !== "") return { token, place: "--token" };
  throw inputRefusal("--token-file", "no refresh token", "a file with it, or VPPSIM_TWIN_TOKEN");
}

function secretIn(place: string, file: string): string {
  refuseIrregularFile(file);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw inputRefusal(place, `a file that cannot be read (${errorCode(error)})`, "a readable file");
  }
}

const SITE_COLUMNS = ["ems_id", "refresh_token", "base_url", "auth_url"] as const;

function siteTokensOf(file: string): ReadonlyMap<string, SiteToken> {
  const lines = secretIn("--site-tokens", file)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/);
  const header = lines[0].split(",").map((name) => name.trim());
  const columnOf = new Map(SITE_COLUMNS.map((name) => [name, header.indexOf(name)]));
  const place = (line: number) => ({ file: "--site-tokens", line });
  if (columnOf.get("ems_id") === -1 || columnOf.get("refresh_token") === -1)
    throw inputRefusal(place(1), "another header", SITE_COLUMNS.join(","));
  const tokens = new Map<string, SiteToken>();
  for (const [k, text] of lines.entries()) {
    if (k === 0 || text.trim() === "") continue;
    const cells = text.split(",").map((cell) => cell.trim());
    const cell = (name: (typeof SITE_COLUMNS)[number]) => cells[columnOf.get(name) ?? -1] ?? "";
    const emsId = cell("ems_id");
    if (!ID.test(emsId))
      throw inputRefusal(place(k + 1), "an ems_id of another form", "32 lowercase hexadecimal digits");
    if (tokens.has(emsId)) throw inputRefusal(place(k + 1), `${emsId} a second time`, "each site once");
    if (cell("refresh_token") === "") throw inputRefusal(place(k + 1), "no refresh token", "the token of the site");
    const urlOf = (name: "base_url" | "auth_url") =>
      cell(name) === "" ? {} : checkedUrl(`--site-tokens:${k + 1}`, cell(name));
    const [base, auth] = [urlOf("base_url"), urlOf("auth_url")];
    tokens.set(emsId, {
      token: cell("refresh_token"),
      place: `--site-tokens, line ${k + 1}`,
      ...(typeof base === "string" ? { baseUrl: base } : {}),
      ...(typeof auth === "string" ? { authUrl: auth } : {}),
    });
  }
  return tokens;
}
