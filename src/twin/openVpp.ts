import { ApiError, ConnectionError, RefreshError } from "../api/client/index.ts";
import { InputErrors, inputRefusal } from "../base/inputError.ts";
import { RunStopped } from "../report/runStopped.ts";
import { apiFetch, ForeignAnswer, RatePacer } from "./read/ratePacer.ts";
import { openSiteReads, openVppReads, signIn, type VppAccess } from "./read/vppReader.ts";

/** A refresh token with the place that the user named it by. */
export interface TokenSource {
  readonly token: string;
  /** Such as `--token-file`; never the secret. */
  readonly place: string;
}

export interface SiteToken extends TokenSource {
  readonly baseUrl?: string;
  readonly authUrl?: string;
}

/** Where a VPP is, who reads it, and how. */
export interface VppConnection {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly vppId: string;
  readonly token: TokenSource;
  /** By `ems_id`. */
  readonly siteTokens: ReadonlyMap<string, SiteToken>;
  readonly signal?: AbortSignal;
  readonly onWait: (seconds: number, why: string) => void;
  readonly sleep: (seconds: number) => Promise<void>;
  readonly fetch?: typeof fetch;
}

/** Large answers take their time. */
const TIMEOUT_SECONDS = 600;

/**
 * Clients of a VPP and of its sites, signed in.
 *
 * @throws InputErrors for a refused token
 */
export async function openVpp(options: VppConnection): Promise<VppAccess> {
  const { signal, vppId: id, token, siteTokens } = options;
  const pacer = new RatePacer({
    sleep: options.sleep,
    onWait: options.onWait,
    checkStopped: () => {
      if (signal?.aborted === true) throw new RunStopped(INTERRUPTED);
    },
  });
  const client = { timeoutSeconds: TIMEOUT_SECONDS, fetch: apiFetch(options.fetch ?? fetch, signal) };
  const { baseUrl, authUrl } = options;
  const vpp = openVppReads({ ...client, baseUrl, authUrl, id, refreshToken: token.token });
  const sites = [...siteTokens].map(([emsId, site]) => {
    const place = { baseUrl: site.baseUrl ?? baseUrl, authUrl: site.authUrl ?? authUrl };
    return [emsId, openSiteReads({ ...client, ...place, id: emsId, refreshToken: site.token })] as const;
  });
  const access = { vpp, sites: new Map(sites), pacer };
  await signIn(access, (error, emsId) => refusedToken(error, emsId, options));
  return access;
}

const CONTINUE = "continue with the same command";
const INTERRUPTED = `interrupted; ${CONTINUE}`;

function refusedToken(error: unknown, emsId: string | null, { token, siteTokens }: VppConnection): unknown {
  if (!(error instanceof RefreshError)) return error;
  if (error.status === 404) return inputRefusal("--auth-url", error.message, "the base address of the token endpoint");
  if (error.status !== 401) return error;
  const place = emsId === null ? token.place : (siteTokens.get(emsId)?.place ?? "");
  const found = `${error.status} ${error.errorType ?? error.error.message}`;
  const message = `the ${emsId === null ? "VPP" : "site"} refused the refresh token of ${place}: ${found}`;
  return new InputErrors([
    { file: place, line: 0, column: 0, keyPath: "", found, allowed: "a valid refresh token", message },
  ]);
}

/** Errors of the network and of the VPP in the words of the command. */
export function wordedError(error: unknown, { baseUrl, vppId, signal }: VppConnection): unknown {
  if (signal?.aborted === true) return new RunStopped(INTERRUPTED);
  const foreign = error instanceof ConnectionError ? error.cause : error;
  const isOther = error instanceof ApiError && error.errorType === "endpoint_not_found";
  if (foreign instanceof ForeignAnswer || isOther)
    return inputRefusal(
      baseUrl,
      String(Object(foreign).message),
      "the base address of a VPP API 1.4, and of its token endpoint",
    );
  if (error instanceof ConnectionError) return new RunStopped(`${error.message}; ${CONTINUE}`);
  if (!(error instanceof ApiError)) return error;
  if (error.status === 403 || error.errorType === "vpp_not_found")
    return inputRefusal(
      "--vpp",
      `${vppId}, which the VPP API answers with ${error.status}`,
      "the VPP and the sites of the tokens",
    );
  return new RunStopped(`${error.message}; ${CONTINUE}`);
}
