import { assert } from "../../base/assert.ts";
import { hexId } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import { HttpFaultBoard } from "./clients/httpFaultBoard.ts";
import type { ClockStep } from "./clockChange.ts";
import { PreparedList } from "./injects/preparedList.ts";
import { type InputStep, stepOf } from "./inputStep.ts";
import {
  type CheckpointEntry,
  type ClockEntry,
  decodeEntry,
  isWorldInput,
  type JournalEntry,
  type JournalHeader,
} from "./journal/journalEntry.ts";
import type { JournalRecord, RecordReader } from "./journal/journalRecord.ts";
import { type ActionMark, NO_ACTIONS, PersonLog } from "./personLog.ts";

/** A state of the session that can be restored. */
export interface Checkpoint {
  readonly checkpointId: string;
  readonly atMs: EpochMs;
  readonly label: string | null;
  /** `null`: in a journal of an older version. */
  readonly stateHash: string | null;
  readonly lastStep: InputStep | null;
  readonly inputCount: number;
  readonly lastClockStep: ClockStep | null;
  readonly actions: ActionMark;
  /** Its journal entry, which has the state of servers. */
  readonly record: JournalRecord;
}

/** State of servers by `Rewindable.name`. */
export type ServerStates = CheckpointEntry["beside"];

/** @throws JournalError */
export function serverStatesOf({ record }: Checkpoint, journal: RecordReader): ServerStates {
  const [json] = journal.read([record]);
  return (decodeEntry(json) as CheckpointEntry).beside;
}

/**
 * State of a session apart from its world: the current branch of inputs, the instant reached, the checkpoints. It is
 * computed from the journal entries alone, so that a running session and a recovered one agree.
 */
export class SessionState {
  private readonly header: JournalHeader;
  lastStep: InputStep | null = null;
  /** Changes of the clock on the branch. */
  lastClockStep: ClockStep | null = null;
  /** Instant of the branch's last entry, at which a crashed session continues. */
  atMs: EpochMs;
  private readonly checkpointsById = new Map<string, Checkpoint>();
  private readonly revoked = new Set<string>();
  private inputCount = 0;
  /** What persons did, and notes. */
  readonly persons: PersonLog;
  readonly httpFaults = new HttpFaultBoard();
  readonly prepared = new PreparedList();

  constructor(header: JournalHeader) {
    this.header = header;
    this.atMs = header.open_ms;
    this.persons = new PersonLog(header.open_ms);
  }

  /** @param record  by which the journal entry is read back */
  applyEntry(entry: JournalEntry, record: JournalRecord): void {
    if (entry.kind === "reset" || entry.kind === "initial_condition") this.persons.abandonSince(NO_ACTIONS);
    if (entry.kind === "restore") this.persons.abandonSince(this.known(entry.checkpoint_id).actions);
    this.persons.applyEntry(entry);
    if ("at_ms" in entry) this.atMs = entry.at_ms;
    if (isWorldInput(entry)) {
      this.lastStep = stepOf(entry, record, this.lastStep);
      this.inputCount++;
    } else if (entry.kind === "clock") this.addClockStep(entry);
    else if (entry.kind === "checkpoint") this.addCheckpoint(entry, record);
    else if (entry.kind === "http_fault") this.httpFaults.begin(entry.http_fault, this.place);
    else if (entry.kind === "http_fault_end") this.httpFaults.end(entry.http_fault_id, this.place);
    else if (entry.kind === "prepared") this.prepared.replace(entry.prepared);
    else if (entry.kind === "revoke") this.revoked.add(entry.token_sha256);
    else if (entry.kind === "reset")
      this.goBack({ lastStep: null, lastClockStep: null, inputCount: 0, atMs: this.header.open_ms });
    else if (entry.kind === "restore") this.goBack(this.known(entry.checkpoint_id));
    else if (entry.kind === "initial_condition") {
      const lastStep = stepOf(entry, record, null);
      this.goBack({ lastStep, lastClockStep: null, inputCount: entry.inputs.length, atMs: entry.to_ms });
    }
  }

  private goBack(to: Pick<Checkpoint, "lastStep" | "lastClockStep" | "inputCount" | "atMs">): void {
    this.lastStep = to.lastStep;
    this.lastClockStep = to.lastClockStep;
    this.inputCount = to.inputCount;
    this.atMs = to.atMs;
    this.httpFaults.rewound(this.place);
  }

  /** The end of the branch. */
  private get place() {
    return { atMs: this.atMs, afterInputs: this.inputCount };
  }

  private known(checkpointId: string): Checkpoint {
    const checkpoint = this.checkpointsById.get(checkpointId);
    assert(checkpoint !== undefined, "the journal restores a checkpoint that it has");
    return checkpoint;
  }

  private addClockStep({ at_ms: atMs, change, speed }: ClockEntry): void {
    if (change === undefined) return;
    this.lastClockStep = { atMs, change, speed, afterInputs: this.inputCount, previous: this.lastClockStep };
  }

  private addCheckpoint({ at_ms, label, state_hash: stateHash }: CheckpointEntry, record: JournalRecord): void {
    const checkpointId = hexId(`checkpoint:${this.header.seed}:${this.checkpointsById.size + 1}`);
    this.checkpointsById.set(checkpointId, {
      checkpointId,
      atMs: at_ms,
      label,
      stateHash: stateHash ?? null,
      lastStep: this.lastStep,
      inputCount: this.inputCount,
      lastClockStep: this.lastClockStep,
      actions: this.persons.mark,
      record,
    });
  }

  checkpoint(id: string): Checkpoint | undefined {
    return this.checkpointsById.get(id);
  }

  /** Oldest first, including those of abandoned branches. */
  get checkpoints(): readonly Checkpoint[] {
    return [...this.checkpointsById.values()];
  }

  isRevoked(tokenSha256: string): boolean {
    return this.revoked.has(tokenSha256);
  }
}
