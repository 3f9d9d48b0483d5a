import type { ApiRequest } from "../../api/endpoints/route.ts";
import type { EpochMs } from "../../base/time.ts";
import { clockData, clockText } from "./clockChange.ts";
import type { JournalEntry } from "./journal/journalEntry.ts";
import { shortRequest } from "./record/requestFacts.ts";

/** One thing that a person or a client program did. */
interface PersonAction {
  /** Counts the actions of the session, from 1. */
  readonly seq: number;
  readonly atMs: EpochMs;
  /** `command`, `clock`, `restore`, or what the page calls it, such as `acknowledged`. */
  readonly kind: string;
  readonly text: string;
  /** Of a command: the request without long fields. */
  readonly request: ApiRequest | null;
  /** The values in the text; empty for an action that a page records. */
  readonly data: Readonly<Record<string, string | number>>;
}

/** The actions of a branch: all up to a number but those that it has abandoned. */
export interface ActionMark {
  readonly lastSeq: number;
  /** First and last numbers, in order. */
  readonly abandoned: readonly (readonly [first: number, last: number])[];
}

/** The mark of the opening. */
export const NO_ACTIONS: ActionMark = { lastSeq: 0, abandoned: [] };

/** A note of the instructor. */
export interface Note {
  readonly atMs: EpochMs;
  readonly text: string;
}

/** Actions in memory; older ones are dropped. */
const ACTIONS_MAX = 20_000;
/** Notes in memory; older ones are dropped. */
const NOTES_MAX = 10_000;

const ALARM_VERBS = { acknowledge: "acknowledges", shelve: "shelves", unshelve: "unshelves" } as const;

/**
 * The actions of persons in a session and the notes about it, in the order of the journal. A restore keeps them,
 * because they belong to the training and not to the simulated world (docs/model/sandbox.md#actions).
 */
export class PersonLog {
  private actions: PersonAction[] = [];
  private noteList: Note[] = [];
  private actionCount = 0;
  private abandoned: ActionMark["abandoned"] = [];
  private atMs: EpochMs;

  constructor(openMs: EpochMs) {
    this.atMs = openMs;
  }

  applyEntry(entry: JournalEntry): void {
    if ("at_ms" in entry) this.atMs = entry.at_ms;
    if (entry.kind === "initial_condition") this.atMs = entry.to_ms;
    switch (entry.kind) {
      case "action":
        return this.add(entry.action, entry.text);
      case "note":
        this.noteList = [...this.noteList.slice(1 - NOTES_MAX), { atMs: entry.at_ms, text: entry.text }];
        return;
      case "request": {
        const { method, path } = entry.request;
        return this.add("command", `${method} ${path}`, { method, path }, shortRequest(entry.request));
      }
      case "owner_call":
        return this.add("owner_call", `calls the owner of ${entry.site}`, { site: entry.site });
      case "alarm": {
        const { act, id, by, name, until } = entry;
        const data = { alarm: id, act, by, ...(name === null ? {} : { name }), ...(until === null ? {} : { until }) };
        return this.add("alarm", `${ALARM_VERBS[act]} ${id}${until === null ? "" : ` until ${until}`}`, data);
      }
      case "clock":
        // Marks of the clock's progress and changes by the server are no actions.
        if (entry.change !== undefined && entry.change.by !== null) {
          const text = `${entry.change.by} ${clockText(entry.change, entry.speed)}`;
          this.add("clock", text, { ...clockData(entry.change, entry.speed), by: entry.change.by });
        }
        return;
      case "restore":
        return this.add("restore", "back to a checkpoint", { to: "checkpoint" });
      case "reset":
        return this.add("restore", "back to the start of the session", { to: "opening" });
      case "initial_condition":
        return this.add("restore", "to an initial condition", { to: "initial_condition" });
      default:
    }
  }

  private add(kind: string, text: string, data: PersonAction["data"] = {}, request: ApiRequest | null = null): void {
    this.actions.push({ seq: ++this.actionCount, atMs: this.atMs, kind, text, request, data });
    // A tenth more is stored, so that not every action moves the whole list.
    if (this.actions.length > 1.1 * ACTIONS_MAX) this.actions = this.actions.slice(-ACTIONS_MAX);
  }

  /** The actions of the present branch. */
  get mark(): ActionMark {
    return { lastSeq: this.actionCount, abandoned: this.abandoned };
  }

  /** Abandons what was done since a mark; called before the entry that goes back to it. */
  abandonSince({ lastSeq, abandoned }: ActionMark): void {
    this.abandoned = lastSeq < this.actionCount ? [...abandoned, [lastSeq + 1, this.actionCount]] : abandoned;
  }

  /** Whether the session has gone back to before an action. */
  isAbandoned(seq: number): boolean {
    return this.abandoned.some(([first, last]) => first <= seq && seq <= last);
  }

  get lastSeq(): number {
    return this.actionCount;
  }

  /** Actions after a number, oldest first. */
  actionsAfter(seq: number, limit: number): readonly PersonAction[] {
    const first = this.actionCount - this.actions.length;
    const start = Math.max(0, seq - first);
    return this.actions.slice(start, start + limit);
  }

  /** Oldest first. */
  get notes(): readonly Note[] {
    return this.noteList;
  }
}
