import { hexId } from "../base/ids.ts";
import type { EpochMs } from "../base/time.ts";
import type { InputStep } from "./inputStep.ts";
import type { JournalEntry, JournalHeader } from "./journal/journalEntry.ts";
import { isWorldInput } from "./journal/journalEntry.ts";

/** A place of the session to come back to. */
export interface Checkpoint {
  readonly checkpointId: string;
  readonly atMs: EpochMs;
  readonly label: string | null;
  readonly lastStep: InputStep | null;
  /** What servers kept beside the world, by the part's name. */
  readonly rewindableStates: ReadonlyMap<string, unknown>;
}

/**
 * What a session is, apart from its world: the branch that led here, how far the clock has come, the places to come back
 * to. It is the fold of its journal: a live session and a recovered one take the same entries the same way.
 */
export class SessionState {
  readonly #header: JournalHeader;
  lastStep: InputStep | null = null;
  /** Instant of the last entry of the branch: where a session that crashed goes on. */
  atMs: EpochMs;
  readonly #checkpoints = new Map<string, Checkpoint>();
  readonly #revoked = new Set<string>();
  /** Whether the last thing that happened was an end in good order. */
  hasEnded = false;

  constructor(header: JournalHeader) {
    this.#header = header;
    this.atMs = header.open_ms;
  }

  /** Something that acts on the world. @param json  the entry as the journal has it */
  applyInput(atMs: EpochMs, json: Buffer): void {
    this.hasEnded = false;
    this.atMs = atMs;
    this.lastStep = { atMs, json, previous: this.lastStep };
  }

  /** @param json  the entry as the journal has it */
  applyEntry(entry: JournalEntry, json: Buffer): void {
    if (isWorldInput(entry)) return this.applyInput(entry.at_ms, json);
    this.hasEnded = entry.kind === "end";
    if ("at_ms" in entry) this.atMs = entry.at_ms;
    if (entry.kind === "checkpoint") this.#addCheckpoint(entry);
    else if (entry.kind === "revoke") this.#revoked.add(entry.token_sha256);
    else if (entry.kind === "reset") {
      this.lastStep = null;
      this.atMs = this.#header.open_ms;
    } else if (entry.kind === "restore") {
      const { lastStep: last, atMs } = this.#checkpoints.get(entry.checkpoint_id)!;
      this.lastStep = last;
      this.atMs = atMs;
    }
  }

  #addCheckpoint({ at_ms, label, beside }: JournalEntry & { kind: "checkpoint" }): void {
    const checkpointId = hexId(`checkpoint:${this.#header.seed}:${this.#checkpoints.size + 1}`);
    this.#checkpoints.set(checkpointId, {
      checkpointId,
      atMs: at_ms,
      label,
      lastStep: this.lastStep,
      rewindableStates: new Map(Object.entries(beside)),
    });
  }

  checkpoint(id: string): Checkpoint | undefined {
    return this.#checkpoints.get(id);
  }

  /** Oldest first, those of branches that were left too. */
  get checkpoints(): readonly Checkpoint[] {
    return [...this.#checkpoints.values()];
  }

  isRevoked(tokenSha256: string): boolean {
    return this.#revoked.has(tokenSha256);
  }
}
