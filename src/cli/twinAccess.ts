import { readFileSync } from "node:fs";
import { errorCode } from "../base/errorCode.ts";
import { InputErrors, inputRefusal } from "../base/inputError.ts";
import { parseCsvRecords } from "../engine/series/csv/parseCsvRecords.ts";
import { refuseIrregularFile } from "../platform/node/diskFiles.ts";
import type { SiteToken, TokenSource, VppConnection } from "../twin/openVpp.ts";

/** Flags of the commands that read a VPP. */
export interface AccessFlags {
  readonly vpp: string;
  readonly authUrl: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly siteTokens?: string;
}

/** Where a VPP is, and who reads it. */
type VppAddress = Pick<VppConnection, "baseUrl" | "authUrl" | "vppId" | "token" | "siteTokens">;

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
  const place = tokenFile === undefined ? "--token" : "--token-file";
  const secret = tokenFile === undefined ? token : secretIn(place, tokenFile).trim();
  if (secret !== undefined && secret !== "") return { token: secret, place };
  throw inputRefusal("--token-file", "no refresh token", "a file with it, or VPPSIM_TWIN_TOKEN");
}

/** The text of a file; no message has its name. */
function secretIn(place: string, file: string): string {
  try {
    refuseIrregularFile(file);
    return readFileSync(file, "utf8");
  } catch (error) {
    const unreadable = `a file that cannot be read (${errorCode(error)})`;
    throw inputRefusal(place, error instanceof InputErrors ? error.errors[0].found : unreadable, "a readable file");
  }
}

const SITE_COLUMNS = ["ems_id", "refresh_token", "base_url", "auth_url"];

function siteTokensOf(file: string): ReadonlyMap<string, SiteToken> {
  const refusal = (line: number, found: string, allowed: string) =>
    inputRefusal({ file: "--site-tokens", line }, found, allowed);
  const records = parseCsvRecords(secretIn("--site-tokens", file), (line, found) => {
    throw refusal(line, found, "a CSV table");
  });
  const [header = [], ...rows] = (records ?? []).map(({ cells }) => cells.map((cell) => cell.trim()));
  if (!header.includes("ems_id") || !header.includes("refresh_token"))
    throw refusal(1, "another header", SITE_COLUMNS.join(","));
  const tokens = new Map<string, SiteToken>();
  for (const [k, cells] of rows.entries()) {
    if (cells.every((cell) => cell === "")) continue;
    const line = records?.[k + 1].line ?? 0;
    const [emsId, token, baseUrl, authUrl] = SITE_COLUMNS.map((name) => cells[header.indexOf(name)] ?? "");
    if (!ID.test(emsId)) throw refusal(line, "an ems_id of another form", "32 lowercase hexadecimal digits");
    if (tokens.has(emsId)) throw refusal(line, `${emsId} a second time`, "each site once");
    if (token === "") throw refusal(line, "no refresh token", "the token of the site");
    tokens.set(emsId, {
      token,
      place: `--site-tokens, line ${line}`,
      ...(baseUrl === "" ? {} : { baseUrl: checkedUrl(`--site-tokens:${line}`, baseUrl) }),
      ...(authUrl === "" ? {} : { authUrl: checkedUrl(`--site-tokens:${line}`, authUrl) }),
    });
  }
  return tokens;
}
