import { parse, stringify } from "yaml";
import { utf8Text } from "../../base/bytes.ts";
import { formatNameList, inputRefusal } from "../../base/inputError.ts";
import { relative, resolve } from "../../base/paths.ts";
import { type EpochMs, isoDuration, isoUtc, MS_PER_MINUTE } from "../../base/time.ts";
import { createGlobMatcher } from "../../inputs/scenario/parse/createGlobMatcher.ts";
import { resolveBeside } from "../../inputs/scenario/parse/loadContext.ts";
import { type Patch, type PatchValue, patchedNumber } from "../../inputs/scenario/patch/patchValue.ts";
import { relocateFiles } from "../../inputs/scenario/relocateFiles.ts";
import type { ScenarioContent, ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { FAULT_KINDS } from "../../inputs/scenario/schema/faultSchema.ts";

type Mapping = Record<string, unknown>;

/** Length of the names of scenarios, less the ending. */
const NAME_LENGTH_MAX = 90;

interface CheckedPeriod {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  /** Values by study path, in their order: the calibration, then what was measured at the start. */
  readonly patches: readonly Patch[];
}

/**
 * The scenario of a period with a patch, as YAML for another folder: its start is the period's, weights and orders in force at the start are its first
 * ones, and nothing earlier is in it.
 *
 * @throws InputErrors if the scenario has errors, or a patched site or member has no entry of its own
 */
export function periodScenario(source: ScenarioSource, period: CheckedPeriod, folder: string): string {
  const { content, file } = source;
  if (content === null) throw source.errors.toInputErrors();
  const document = parse(utf8Text(source.files.read(file) ?? new Uint8Array())) as Mapping;
  relocateFiles(document, (path) => relative(resolve(folder), resolveBeside(file, path)));
  document.name = `${content.config.name.slice(0, NAME_LENGTH_MAX)}-check`;
  document.start = isoUtc(period.fromMs);
  document.end = isoUtc(period.toMs);
  document.awards = awardsOf(content, period);
  document.instructions = instructionsOf(content, period);
  document.events = eventsOf(content, period);
  document.report = { ...(document.report as Mapping | undefined), power_interval: "PT1M" };
  const writer = new DocumentPatch(document, file);
  for (const patch of [weightsAt(content, period.fromMs), ...period.patches])
    for (const [path, value] of Object.entries(patch)) writer.set(path, value);
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/** The awards of a period; one under way at its start begins with it. */
const awardsOf = ({ awards }: ScenarioContent, { fromMs, toMs }: CheckedPeriod): Mapping[] =>
  awards.flatMap((row, k) =>
    row.end <= fromMs || toMs <= row.start
      ? []
      : [written({ ...row, award_id: row.award_id ?? `A-${k + 1}`, start: Math.max(row.start, fromMs) }, fromMs)],
  );

const instructionsOf = ({ instructions }: ScenarioContent, { fromMs, toMs }: CheckedPeriod): Mapping[] =>
  instructions.flatMap((row, k) => {
    const endMs = row.at + row.duration_minutes * MS_PER_MINUTE;
    if (endMs <= fromMs || toMs <= row.at) return [];
    const atMs = Math.max(row.at, fromMs);
    const rest = { at: atMs, duration_minutes: (endMs - atMs) / MS_PER_MINUTE };
    return [written({ ...row, award_id: row.award_id ?? `I-${k + 1}`, ...rest }, fromMs)];
  });

/** Events of the period, and the conditions that last into it. */
const eventsOf = ({ events }: ScenarioContent, { fromMs, toMs }: CheckedPeriod): Mapping[] =>
  events.flatMap((event) => {
    if (toMs <= event.at) return [];
    if (fromMs <= event.at) return [written({ ...event }, fromMs)];
    const isLasting = "duration" in event || FAULT_KINDS.some((kind) => kind === event.kind);
    const untilMs = "duration" in event && event.duration !== undefined ? event.at + event.duration : toMs;
    if (!isLasting || untilMs <= fromMs) return [];
    return [written({ ...event, at: fromMs, duration: untilMs - fromMs }, fromMs)];
  });

const INSTANT_KEYS: ReadonlySet<string> = new Set(["at", "start", "end"]);
const DURATION_KEYS: ReadonlySet<string> = new Set(["duration", "ramp_in", "ramp_out"]);

/** A checked row as the file has it: instants and durations are texts. */
function written(row: object, fromMs: EpochMs): Mapping {
  const entries = Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (DURATION_KEYS.has(key)) return [[key, isoDuration(Number(value))]];
    if (key === "registered_at") return [[key, isoUtc(Math.max(Number(value), fromMs))]];
    return [[key, INSTANT_KEYS.has(key) ? isoUtc(Number(value)) : value]];
  });
  return Object.fromEntries(entries);
}

/** The weights that events have set before an instant. */
function weightsAt({ events }: ScenarioContent, atMs: EpochMs): Patch {
  const weights: Record<string, PatchValue> = {};
  for (const event of [...events].sort((a, b) => a.at - b.at))
    if (event.kind === "set_weight" && event.at < atMs)
      weights[`weights.${event.vpp}.${event.site}`] = event.allocation_weight;
  return weights;
}

/** Writes values by study path into a document. */
class DocumentPatch {
  private readonly document: Mapping;
  private readonly file: string;

  constructor(document: Mapping, file: string) {
    this.document = document;
    this.file = file;
  }

  set(path: string, value: PatchValue): void {
    const [head, name, ...keys] = path.split(".");
    if (head === "weights") {
      const vpp = (this.document.vpps as Mapping[]).find((entry) => entry.name === name);
      for (const member of this.entries(vpp?.members, "site", keys[0], "vpps"))
        write(member, ["allocation_weight"], value);
    } else if (head === "sites")
      for (const site of this.entries(this.document.sites, "name", name, "sites")) write(site, keys, value);
    else throw inputRefusal({ file: "patch", keyPath: path }, head, "a path of sites or weights");
  }

  private entries(list: unknown, key: "site" | "name", glob: string, keyPath: string): Mapping[] {
    const test = createGlobMatcher(glob);
    const own = ((list ?? []) as Mapping[]).filter(
      ({ count = 1, [key]: name }) => count === 1 && typeof name === "string",
    );
    const found = own.filter((entry) => test(String(entry[key])));
    if (found.length > 0) return found;
    const names = formatNameList(own.map((entry) => String(entry[key])));
    throw inputRefusal(
      { file: this.file, keyPath },
      `no entry of its own for ${glob}`,
      `an entry without count; there are ${names}`,
    );
  }
}

/** Mappings that the document leaves out are created. */
function write(owner: Mapping, [key, ...rest]: readonly string[], value: PatchValue): void {
  if (rest.length === 0) {
    owner[key] = patchedNumber(value, owner[key]) ?? value;
    return;
  }
  const next = (owner[key] ??= {}) as Mapping | Mapping[];
  if (!Array.isArray(next)) return write(next, rest, value);
  const test = createGlobMatcher(rest[0]);
  next.forEach((item, k) => {
    if (test(String(item.component_id)) || rest[0] === String(k)) write(item, rest.slice(1), value);
  });
}
