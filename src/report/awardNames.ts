import { DateTime } from "luxon";
import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";
import type { InstructionOrigin } from "../engine/vpp/instructions/instructionSpec.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";

/** An award or instruction as it was registered. */
interface NamedAward {
  readonly awardId: string;
  /** Whether a client sent it; its id is then 32 hexadecimal digits. */
  readonly isOwn: boolean;
  readonly isImmediate: boolean;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** The id of an instruction that a client sent. */
const OWN_ID = /\b[0-9a-f]{32}\b/g;

/**
 * Names of awards and instructions by their ids: the label that an operator gave, else the scenario's id, else product and local time as
 * registered, `FRR 17:40–20:00`. A second one of the same name gets a number (docs/model/sandbox.md#award-names).
 */
export class AwardNames {
  private readonly timezone: string;
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly labels = new Map<string, string>();

  /** @param labels  of the export of a session, oldest first */
  constructor(timezone: string, labels: readonly AwardLabel[]) {
    this.timezone = timezone;
    for (const { award, label } of labels) this.setLabel(award, label);
  }

  /** A second call for one id has no effect: a cut does not change the name. */
  register({ awardId, isOwn, isImmediate, sku, startMs, endMs }: NamedAward): void {
    if (this.names.has(awardId)) return;
    if (!isOwn) {
      this.names.set(awardId, awardId);
      return;
    }
    const product = isImmediate ? "Immediate" : (sku?.toUpperCase() ?? "Schedule");
    const name = `${product} ${this.timeOf(startMs)}–${this.timeOf(endMs)}`;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    this.names.set(awardId, count === 1 ? name : `${name} (${count})`);
  }

  private timeOf(atMs: EpochMs): string {
    return DateTime.fromMillis(atMs, { zone: this.timezone }).toFormat("HH:mm");
  }

  has(awardId: string): boolean {
    return this.names.has(awardId);
  }

  /** @param label  `null`: none any more */
  setLabel(awardId: string, label: string | null): void {
    if (label === null) this.labels.delete(awardId);
    else this.labels.set(awardId, label);
  }

  /** An id that is not registered is its own name. */
  nameOf(awardId: string): string {
    return this.labels.get(awardId) ?? this.names.get(awardId) ?? awardId;
  }

  /** A text with names in place of the ids of own instructions. */
  inText(text: string): string {
    return text.replace(OWN_ID, (id) => this.nameOf(id));
  }
}

interface AwardLabel {
  /** Id. */
  readonly award: string;
  readonly label: string | null;
}

/** The labels that operators gave in the session whose export a scenario is. */
export const labelsOf = (commands: Scenario["sessionCommands"]): readonly AwardLabel[] =>
  commands.filter((command) => "label" in command);

/** An instruction by what registered it. */
export const namedAward = (origin: InstructionOrigin): NamedAward => ({
  awardId: origin.awardId,
  isOwn: origin.isFromApi === true,
  isImmediate: "atMs" in origin,
  sku: origin.sku,
  startMs: "atMs" in origin ? origin.atMs : origin.startMs,
  endMs: "atMs" in origin ? origin.atMs + origin.durationMs : origin.endMs,
});
