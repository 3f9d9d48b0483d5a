import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ApiError, ConnectionError, RefreshError } from "../api/client/index.ts";
import { InputErrors, inputRefusal } from "../base/inputError.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import { RunStopped } from "../report/runStopped.ts";
import { AnswerStore, writeStaged } from "./read/answerStore.ts";
import { apiFetch, ForeignAnswer, RatePacer } from "./read/ratePacer.ts";
import { openSiteReads, openVppReads, signIn, type VppAccess, VppReader } from "./read/vppReader.ts";
import type { Weather } from "./restore/documents.ts";
import { readHistory } from "./restore/readHistory.ts";
import { type ImportDocument, restoreScenario } from "./restore/restoreScenario.ts";

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

export interface ImportOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly vppId: string;
  readonly token: TokenSource;
  /** By `ems_id`. */
  readonly siteTokens: ReadonlyMap<string, SiteToken>;
  /** `null`: by default. */
  readonly fromMs: EpochMs | null;
  readonly toMs: EpochMs | null;
  readonly timezone: string;
  /** `null`: none. */
  readonly weather: Weather | null;
  readonly out: string;
  /** Whether a finished import is replaced. */
  readonly replaces: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress: (done: number, expected: number) => void;
  readonly onWait: (seconds: number, why: string) => void;
  readonly warn: (message: string) => void;
  readonly sleep: (seconds: number) => Promise<void>;
  readonly fetch?: typeof fetch;
}

export interface ImportResult {
  readonly scenarioFile: string;
  readonly document: ImportDocument;
}

const IMPORT_FILE = "import.json";
const WRITTEN = ["scenario.yaml", IMPORT_FILE, "series", "measured", "answers"];

const isFinished = (folder: string): boolean => existsSync(join(folder, IMPORT_FILE));

/** Large answers take their time. */
const TIMEOUT_SECONDS = 600;

/**
 * Reads a VPP and writes a scenario of it (docs/model/twin.md#import).
 *
 * @throws InputErrors for what the user can put right; RunStopped for what the same command may overcome
 */
export async function importVpp(options: ImportOptions): Promise<ImportResult> {
  const { out, replaces } = options;
  if (isFinished(out) && !replaces)
    throw inputRefusal(out, "a finished import", "another --out, or --replace to read everything again");
  try {
    return await readAndWrite(options);
  } catch (error) {
    throw wordedError(error, options);
  }
}

async function readAndWrite(options: ImportOptions): Promise<ImportResult> {
  const { out, vppId, fromMs, toMs, timezone } = options;
  const progress = { done: 0, expected: 0 };
  const subject = {
    vpp_id: vppId,
    base_url: options.baseUrl,
    from: fromMs === null ? null : isoUtc(fromMs),
    to: toMs === null ? null : isoUtc(toMs),
  };
  const access = openAccess(options);
  await signIn(access, (error, emsId) => refusedToken(error, emsId, options));
  if (isFinished(out)) for (const name of WRITTEN) rmSync(join(out, name), { recursive: true, force: true });
  const store = new AnswerStore(out, subject);
  const onAnswer = () => options.onProgress(++progress.done, progress.expected);
  const reader = new VppReader({ ...access, vppId, store, onAnswer });
  const history = await readHistory(reader, {
    fromMs,
    toMs,
    warn: options.warn,
    onExpected: (requests) => {
      progress.expected += requests;
      const limit = access.vpp.rateLimit?.limit ?? Number.POSITIVE_INFINITY;
      if (requests > limit)
        options.warn(`${requests} requests, ${limit} an hour: about ${Math.ceil(requests / limit)} hours`);
    },
  });
  store.finish();
  const restored = restoreScenario(history, { vppId, timezone, requests: store.size, weather: options.weather });
  for (const [name, content] of restored.files) {
    const file = join(out, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeStaged(file, name.endsWith(".gz") ? gzipSync(content) : content);
  }
  return { scenarioFile: join(out, "scenario.yaml"), document: restored.document };
}

function openAccess(options: ImportOptions): VppAccess {
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
  return { vpp, sites: new Map(sites), pacer };
}

const CONTINUE = "continue with the same command";
const INTERRUPTED = `the import was interrupted; ${CONTINUE}`;

function refusedToken(error: unknown, emsId: string | null, { token, siteTokens }: ImportOptions): unknown {
  if (!(error instanceof RefreshError) || error.status !== 401) return error;
  const place = emsId === null ? token.place : (siteTokens.get(emsId)?.place ?? "");
  const found = `${error.status} ${error.errorType ?? error.error.message}`;
  const message = `the ${emsId === null ? "VPP" : "site"} refused the refresh token of ${place}: ${found}`;
  return new InputErrors([
    { file: place, line: 0, column: 0, keyPath: "", found, allowed: "a valid refresh token", message },
  ]);
}

/** Errors of the network and of the VPP in the words of the command. */
function wordedError(error: unknown, { baseUrl, vppId, signal }: ImportOptions): unknown {
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
      "the id of the token's VPP",
    );
  return new RunStopped(`${error.message}; ${CONTINUE}`);
}
