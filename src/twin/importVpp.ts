import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inputRefusal } from "../base/inputError.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import { writeStaged } from "../platform/node/writeStaged.ts";
import { openVpp, type VppConnection, wordedError } from "./openVpp.ts";
import { AnswerStore } from "./read/answerStore.ts";
import { VppReader } from "./read/vppReader.ts";
import type { Weather } from "./restore/documents.ts";
import { readHistory } from "./restore/readHistory.ts";
import { type ImportDocument, restoreScenario } from "./restore/restoreScenario.ts";

export interface ImportOptions extends VppConnection {
  /** `null`: by default. */
  readonly fromMs: EpochMs | null;
  readonly toMs: EpochMs | null;
  readonly timezone: string;
  /** `null`: none. */
  readonly weather: Weather | null;
  readonly out: string;
  /** Whether a finished import is replaced. */
  readonly replaces: boolean;
  readonly onProgress: (done: number, expected: number) => void;
  readonly warn: (message: string) => void;
}

export interface ImportResult {
  readonly scenarioFile: string;
  readonly document: ImportDocument;
}

const IMPORT_FILE = "import.json";
const WRITTEN = ["scenario.yaml", IMPORT_FILE, "series", "measured", "answers"];

const isFinished = (folder: string): boolean => existsSync(join(folder, IMPORT_FILE));

/** Whether a folder has a scenario that no import wrote. */
const isForeign = (folder: string): boolean =>
  existsSync(join(folder, "scenario.yaml")) && !isFinished(folder) && !existsSync(join(folder, "answers"));

/**
 * Reads a VPP and writes a scenario of it (docs/model/twin.md#import).
 *
 * @throws InputErrors for what the user can put right; RunStopped for what the same command may overcome
 */
export async function importVpp(options: ImportOptions): Promise<ImportResult> {
  const { out, replaces } = options;
  if (isFinished(out) && !replaces)
    throw inputRefusal(out, "a finished import", "another --out, or --replace to read everything again");
  if (isForeign(out))
    throw inputRefusal(out, "a scenario.yaml of another origin", "another --out: the import would replace it");
  try {
    return await readAndWrite(options);
  } catch (error) {
    throw wordedError(error, options);
  }
}

async function readAndWrite(options: ImportOptions): Promise<ImportResult> {
  const { out, vppId, fromMs, toMs, timezone } = options;
  let done = 0;
  let expected = 0;
  const subject = {
    vpp_id: vppId,
    base_url: options.baseUrl,
    from: fromMs === null ? null : isoUtc(fromMs),
    to: toMs === null ? null : isoUtc(toMs),
  };
  const access = await openVpp(options);
  if (isFinished(out)) for (const name of WRITTEN) rmSync(join(out, name), { recursive: true, force: true });
  const store = new AnswerStore(out, subject);
  const onAnswer = () => {
    done++;
    expected = Math.max(done, expected);
    options.onProgress(done, expected);
  };
  const reader = new VppReader({ ...access, vppId, store, onAnswer });
  const history = await readHistory(reader, {
    fromMs,
    toMs,
    warn: options.warn,
    onPlanned: (requests) => {
      expected = done + requests;
      const limit = access.vpp.rateLimit?.limit ?? Number.POSITIVE_INFINITY;
      if (requests > limit)
        options.warn(`${requests} requests, ${limit} an hour: about ${Math.ceil(requests / limit)} hours`);
    },
  });
  const known = new Set(history.members.map(({ emsId }) => emsId));
  for (const [emsId, { place }] of options.siteTokens)
    if (!known.has(emsId)) options.warn(`${place}: ${emsId} is no member of the VPP`);
  store.writeIndex();
  const restored = restoreScenario(history, { vppId, timezone, requests: store.size, weather: options.weather });
  for (const [name, content] of restored.files) {
    const file = join(out, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeStaged(file, name.endsWith(".gz") ? gzipSync(content) : content);
  }
  return { scenarioFile: join(out, "scenario.yaml"), document: restored.document };
}
