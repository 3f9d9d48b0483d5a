import { resolve } from "node:path";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { VERSION } from "../../version.ts";
import { continueJournal, createJournal, type Journal, NO_JOURNAL } from "./journal/journal.ts";
import { checkEntry, JOURNAL_FORMAT, type JournalHeader } from "./journal/journalEntry.ts";
import {
  closeJournalFile,
  closeToOthers,
  type JournalFile,
  openJournalFile,
  replaceJournalFile,
} from "./journal/journalFile.ts";
import { JournalError, readRecords } from "./journal/journalRecord.ts";
import { damagedRecordError, type JournalContent, readJournal } from "./journal/readJournal.ts";
import type { ServedScenario } from "./servedScenario.ts";
import { SessionState } from "./sessionState.ts";
import { newSigningKey } from "./tokenSecrets.ts";

export interface JournalOptions {
  /** `null`: nothing is persisted. */
  readonly file: string | null;
  /**
   * Whether a session that ended in order is continued. Otherwise a new one starts, and the old journal is renamed to
   * `<file>.old`.
   */
  readonly resumesEnded: boolean;
  /** `--open-at`; `null` where it is absent. */
  readonly openAtMs: EpochMs | null;
  /** Called with warnings for the operator. */
  readonly warn: (text: string) => void;
}

export interface OpenedJournal {
  readonly header: JournalHeader;
  readonly journal: Journal;
  readonly state: SessionState;
  /** Whether an earlier session is continued. */
  readonly isResumed: boolean;
}

/**
 * Creates a journal, or continues the existing one.
 *
 * @throws JournalError
 */
export function openJournal({ scenario, drill }: ServedScenario, options: JournalOptions): OpenedJournal {
  const header: JournalHeader = {
    kind: "journal",
    format: JOURNAL_FORMAT,
    version: VERSION,
    scenario: scenario.name,
    hash: scenario.hash,
    seed: scenario.world.seed,
    open_ms: options.openAtMs ?? scenario.world.startMs,
    signing_key: newSigningKey(),
    ...(drill === undefined ? {} : { drill: drill.hash }),
  };
  if (options.file === null) return { header, journal: NO_JOURNAL, state: new SessionState(header), isResumed: false };
  let file = openJournalFile(resolve(options.file));
  try {
    const content = readJournal(file);
    if (closeToOthers(file) && content !== null)
      options.warn(
        `journal ${file.file}: other users could read it, and the key of the access tokens in it; now they cannot`,
      );
    if (content !== null && (options.resumesEnded || !isEnded(file, content))) {
      checkHeaderMatches(file.file, content.header, header, options.openAtMs);
      return resumeJournal(file, options, content, {
        version: header.version,
        state: stateOf(file, content, scenario),
      });
    }
    if (content !== null) file = replaceJournalFile(file);
    const journal = createJournal(file, header);
    return { header, journal, state: new SessionState(header), isResumed: false };
  } catch (error) {
    closeJournalFile(file);
    throw error;
  }
}

/** Whether the last record is the orderly end of a session. */
function isEnded(file: JournalFile, { records }: JournalContent): boolean {
  const [json] = readRecords(file, records.slice(-1));
  return json !== undefined && /^\{"kind":"end",/.test(json.toString("latin1", 0, 16));
}

/** @throws JournalError for a record that no session of the scenario has written */
function stateOf(file: JournalFile, { header, records }: JournalContent, { world }: Scenario): SessionState {
  const state = new SessionState(header);
  const siteNames = new Set(world.sites.map(({ name }) => name));
  const hasCheckpoint = (id: string): boolean => state.checkpoint(id) !== undefined;
  let next = 0;
  for (const json of readRecords(file, records)) {
    const record = records[next++];
    const entry = checkEntry(json, { endMs: world.endMs, siteNames, atMs: state.atMs, hasCheckpoint });
    if (entry === null) throw damagedRecordError(file.file, record.number);
    state.applyEntry(entry, record);
  }
  return state;
}

function resumeJournal(
  file: JournalFile,
  options: JournalOptions,
  { header, records, byteLength, tornBytes }: JournalContent,
  { version, state }: { readonly version: string; readonly state: SessionState },
): OpenedJournal {
  if (header.version !== version)
    options.warn(
      `journal ${file.file} was begun by vppsim ${header.version}; its commands are run again by ${version}`,
    );
  if (tornBytes > 0)
    options.warn(`journal ${file.file}: the last record was not finished (${tornBytes} bytes), and is cut off`);
  const journal = continueJournal(file, byteLength, records.length + 1);
  return { header, journal, state, isResumed: true };
}

function checkHeaderMatches(
  file: string,
  found: JournalHeader,
  expected: JournalHeader,
  openAtMs: EpochMs | null,
): void {
  const cure = "move the journal away, name another with --journal, or serve with --no-journal";
  const mismatchError = (what: string) => new JournalError("input", `journal ${file} ${what}; ${cure}`);
  if (found.scenario !== expected.scenario)
    throw mismatchError(`belongs to the scenario ${found.scenario}, not to ${expected.scenario}`);
  if (found.seed !== expected.seed)
    throw mismatchError(`belongs to seed ${found.seed}, the scenario has ${expected.seed}`);
  if (found.hash !== expected.hash) {
    const digests = `hash ${found.hash.slice(0, 12)}, now ${expected.hash.slice(0, 12)}`;
    throw mismatchError(`belongs to another state of the scenario ${expected.scenario} or of its data (${digests})`);
  }
  if (found.drill !== expected.drill)
    throw mismatchError(
      found.drill === undefined ? "belongs to a session without a drill" : "belongs to another drill",
    );
  if (openAtMs !== null && found.open_ms !== openAtMs)
    throw mismatchError(`was opened at ${isoUtc(found.open_ms)}, not at ${isoUtc(openAtMs)}`);
}
