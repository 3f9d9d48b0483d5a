import { platform } from "#platform";
import { utf8Text } from "../../base/bytes.ts";
import { canonicalJson } from "../../base/canonicalJson.ts";
import { sha256Hex } from "../../base/ids.ts";
import { formatValue, inputRefusal } from "../../base/inputError.ts";
import { join } from "../../base/paths.ts";
import type { AwardSlot, GroupSlot } from "../../market/awardSlot.ts";
import type { SettledSlots } from "../../market/priceSlots.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";
import { refuseChangedContent } from "../reportFiles.ts";

/** File of a report with the assessed slots, from which a run can be settled again. */
export const SLOTS_FILE = "settlement_slots.jsonl";

const FORMAT = 4;

/** The slots as JSON Lines: a header, awards, groups. Numbers have all their digits. */
export function slotsText({ awardSlots, groupSlots }: SettledSlots, { slotIdentity }: SettlementSpec): string {
  const lines: object[] = [{ format: FORMAT, assessed_with: slotIdentity }];
  for (const award of awardSlots) lines.push({ award });
  for (const group of groupSlots) lines.push({ group });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** The slots of a report and their file. */
interface ReadSlots {
  readonly slots: SettledSlots;
  readonly file: string;
  /** SHA-256 of the file in hex. */
  readonly digest: string;
}

/**
 * Reads the slots of a report.
 *
 * @throws InputErrors if the report has none, or if they were assessed by other rules than those of the settlement
 */
export function readSlots(folder: string, { slotIdentity }: SettlementSpec): ReadSlots {
  const file = join(folder, SLOTS_FILE);
  platform.restoreReport(folder);
  const content = platform.files.read(file);
  if (content === null) throw inputRefusal(file, "no such file", "the report of a scenario with the key settlement");
  refuseChangedContent(file, content);
  const [header, ...lines] = linesOf(file, utf8Text(content));
  const { format, assessed_with: assessedWith } = (header ?? {}) as {
    format?: unknown;
    assessed_with?: Record<string, unknown>;
  };
  if (format !== FORMAT || assessedWith === undefined)
    throw inputRefusal(file, `format ${JSON.stringify(format ?? null)}`, `format ${FORMAT}: run the scenario again`);
  for (const [key, value] of Object.entries(slotIdentity))
    if (canonicalJson(assessedWith[key] ?? null) !== canonicalJson(value ?? null))
      throw inputRefusal(
        file,
        `a report assessed with ${key} ${canonicalJson(assessedWith[key] ?? null)}`,
        `${canonicalJson(value ?? null)}, as in the scenario: the samples depend on it, so run the scenario again`,
      );
  lines.forEach((line, k) => {
    if (!isSlotLine(line))
      throw inputRefusal({ file, line: k + 2 }, formatValue(line), "an award or a group of a slot");
  });
  const slots = lines as { readonly award?: AwardSlot; readonly group?: GroupSlot }[];
  const awardSlots = slots.flatMap(({ award }) => award ?? []);
  const groupSlots = slots.flatMap(({ group }) => group ?? []);
  return { slots: { awardSlots, groupSlots }, file, digest: sha256Hex(content) };
}

/** The digest of the file protects what is in the line. */
const isSlotLine = (line: unknown): boolean =>
  typeof line === "object" && line !== null && ("award" in line || "group" in line);

function linesOf(file: string, text: string): unknown[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line, k) => {
      try {
        return JSON.parse(line);
      } catch {
        throw inputRefusal({ file, line: k + 1 }, "no JSON", "a line of JSON");
      }
    });
}
