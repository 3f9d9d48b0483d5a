import type { EpochMs } from "../../../base/time.ts";
import type { CommandQueue } from "../commandQueue.ts";
import type { JournalEntry, WorldInput } from "../journal/journalEntry.ts";
import { SessionRefusal } from "../sessionRefusal.ts";
import type { Inject } from "./inject.ts";
import type { PreparedList, PreparedMalfunction } from "./preparedList.ts";

interface PreparedContext {
  readonly queue: CommandQueue;
  readonly list: PreparedList;
  /** Injects of the present world. */
  readonly injects: () => readonly Inject[];
  /** Records an entry of the journal; the queue waits until it is on disk. */
  readonly append: (entry: JournalEntry) => void;
}

/** A prepared malfunction with the inject that was last planned of it in the present world; `null`: none. */
export type PreparedView = PreparedMalfunction & { readonly injectId: string | null };

export type PreparedDraft = Omit<PreparedMalfunction, "preparedId">;

const ROWS_MAX = 200;

/** Commands and reads of a session's prepared malfunctions (docs/model/drills.md#prepared). */
export class SessionPrepared {
  private readonly context: PreparedContext;

  constructor(context: PreparedContext) {
    this.context = context;
  }

  get rows(): readonly PreparedView[] {
    return this.context.list.rows.map((row) => this.viewOf(row));
  }

  async add(draft: PreparedDraft): Promise<PreparedView> {
    await this.edit((rows) => [...rows, this.numbered(draft, 0)]);
    return this.rows[this.rows.length - 1];
  }

  /** Puts others in the place of all. */
  async replaceAll(drafts: readonly PreparedDraft[]): Promise<void> {
    await this.edit(() => drafts.map((draft, k) => this.numbered(draft, k)));
  }

  async change(id: string, to: "armed" | "disarmed"): Promise<PreparedView> {
    await this.edit((rows) => {
      this.find(id);
      return rows.map((row) => (row.preparedId === id ? { ...row, isArmed: to === "armed" } : row));
    });
    return this.viewOf(this.find(id));
  }

  async remove(id: string): Promise<void> {
    await this.edit((rows) => {
      this.find(id);
      return rows.filter(({ preparedId }) => preparedId !== id);
    });
  }

  /** Plans those that are armed in a world that has gone back, and cancels what is armed no more. */
  afterRewind(atMs: EpochMs, apply: (input: WorldInput) => unknown): void {
    const { list } = this.context;
    // Their time counts from the instant that the session has come to.
    const counted = new Set(list.rows.flatMap(({ preparedId, afterMs }) => (afterMs === null ? [] : [preparedId])));
    this.cancelUnarmed(atMs, apply, counted);
    for (const row of list.rows) {
      const isPlanned = this.injectsOf(row.preparedId).some(({ state }) => state !== "cancelled");
      if (row.isArmed && (row.afterMs !== null || !isPlanned)) plan(row, atMs, apply);
    }
  }

  private viewOf(row: PreparedMalfunction): PreparedView {
    return { ...row, injectId: this.injectsOf(row.preparedId).at(-1)?.injectId ?? null };
  }

  private get armedIds(): ReadonlySet<string> {
    return new Set(this.context.list.rows.flatMap(({ preparedId, isArmed }) => (isArmed ? [preparedId] : [])));
  }

  private numbered(draft: PreparedDraft, ahead: number): PreparedMalfunction {
    return { preparedId: this.context.list.nextId(ahead), ...draft };
  }

  /** @throws SessionRefusal  404 */
  private find(id: string): PreparedMalfunction {
    const row = this.context.list.rows.find(({ preparedId }) => preparedId === id);
    if (row === undefined) throw new SessionRefusal(404, `No prepared malfunction has the id ${id}`, "prepared_id");
    return row;
  }

  private injectsOf(id: string): readonly Inject[] {
    return this.context.injects().filter(({ preparedId }) => preparedId === id);
  }

  private edit(change: (rows: readonly PreparedMalfunction[]) => readonly PreparedMalfunction[]): Promise<void> {
    const { queue, list, append } = this.context;
    return queue.runCommand<void>({
      act: (atMs, apply) => {
        const armedBefore = this.armedIds;
        const rows = change(list.rows);
        if (rows.length > ROWS_MAX)
          throw new SessionRefusal(
            409,
            `The list has ${ROWS_MAX} prepared malfunctions, the largest number; delete one`,
          );
        append({ kind: "prepared", at_ms: atMs, prepared: rows });
        this.cancelUnarmed(atMs, apply);
        for (const row of rows) if (row.isArmed && !armedBefore.has(row.preparedId)) plan(row, atMs, apply);
      },
    });
  }

  /** Cancels what is planned of rows that are gone or not armed, and of `others`. */
  private cancelUnarmed(
    atMs: EpochMs,
    apply: (input: WorldInput) => unknown,
    others: ReadonlySet<string> = new Set(),
  ): void {
    const armed = this.armedIds;
    for (const { injectId, preparedId, state } of this.context.injects())
      if (preparedId !== null && state === "planned" && (!armed.has(preparedId) || others.has(preparedId)))
        apply({ kind: "inject_cancel", at_ms: atMs, inject_id: injectId });
  }
}

/** Plans the inject of a prepared malfunction, unless its instant has passed. */
function plan(row: PreparedMalfunction, atMs: EpochMs, apply: (input: WorldInput) => unknown): void {
  const { preparedId, afterMs, inject } = row;
  const spec = afterMs === null ? inject : { ...inject, at: atMs + afterMs };
  if (spec.at !== undefined && spec.at < atMs) return;
  apply({ kind: "inject", at_ms: atMs, inject: spec, prepared_id: preparedId });
}
