import { resolve } from "node:path";
import { IANAZone } from "luxon";
import { isoUtc, MS_PER_DAY } from "../base/time.ts";
import type { ScenarioEvent } from "../simulation/worldSpec.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../vpp/instructions/orderSpec.ts";
import type { Commands } from "./build/buildAwards.ts";
import type { DayBaselines } from "./build/dayBaselines.ts";
import { type ExpandedVpp, expandMembers } from "./build/expandMembers.ts";
import { type ExpandedSite, expandSites } from "./build/expandSites.ts";
import type { SeriesBook } from "./build/seriesBook.ts";
import { DocumentChecker } from "./parse/checkDocument.ts";
import { type InputError, inputError, shown } from "./parse/inputError.ts";
import { readRows } from "./parse/readRows.ts";
import { readYaml } from "./parse/readYaml.ts";
import type { ScenarioFiles } from "./parse/scenarioFiles.ts";
import type { Schema } from "./parse/schemaShape.ts";
import { applyPatch, numbersAt, type PatchRefusal, type PatchTarget } from "./patch/applyPatch.ts";
import { type AwardKeys, awardSchema, type InstructionKeys, instructionSchema } from "./schema/awardSchema.ts";
import { type EventKeys, eventSchema } from "./schema/eventSchema.ts";
import { type ScenarioKeys, scenarioSchema } from "./schema/scenarioSchema.ts";
import type { SiteKeys } from "./schema/siteSchema.ts";

/** What a scenario's files say, before any patch. */
export interface ScenarioContent {
  readonly keys: ScenarioKeys;
  /** Of market days. */
  readonly timezone: string;
  readonly sites: readonly ExpandedSite[];
  readonly vpps: readonly ExpandedVpp[];
  readonly awards: readonly AwardKeys[];
  readonly instructions: readonly InstructionKeys[];
  readonly events: readonly EventKeys[];
}

/** What the build without a patch made, which later builds take over as far as no patch touches it. */
export interface SharedBuild {
  readonly series: SeriesBook;
  readonly sites: ReadonlyMap<SiteKeys, SiteSpec>;
  readonly dayBaselines: DayBaselines;
  readonly awards: Commands<AwardSpec>;
  readonly instructions: Commands<InstructionSpec>;
  readonly events: Commands<ScenarioEvent>;
}

/** A scenario's files, read once, of which scenarios can be built many times. */
export class ScenarioSource {
  /** Absolute path of the scenario file. */
  readonly file: string;
  readonly shownFile: string;
  readonly files: ScenarioFiles;
  /** Absolute paths of all that reading and building asked for so far. */
  readonly filesRead = new Set<string>();
  /** Mistakes found in reading; a build adds its own. */
  readonly errors: readonly InputError[];
  readonly warnings: readonly string[];
  /** Texts that name a series and its role, in reading order. */
  readonly seriesRoles: readonly string[];
  /** `null` where the file is not even YAML. */
  readonly content: ScenarioContent | null;
  /** Set by the first build that had no patch and no mistake. */
  shared: SharedBuild | null = null;

  constructor(file: string, files: ScenarioFiles) {
    const errors: InputError[] = [];
    const warnings: string[] = [];
    const checker = new DocumentChecker(errors);
    this.file = resolve(file);
    this.shownFile = file;
    this.files = {
      read: (path) => {
        this.filesRead.add(path);
        return files.read(path);
      },
    };
    const reading = { file: this.file, shownFile: file, files: this.files, checker, warnings };
    const keys = this.#readKeys(checker);
    if (keys === null) this.content = null;
    else {
      const timezone = checkHead(checker, keys);
      const sites = expandSites(reading, keys.sites);
      this.content = {
        keys,
        timezone,
        sites,
        vpps: expandMembers(reading, keys.vpps, sites),
        awards: readRows<AwardKeys>(reading, keys.awards, awardSchema),
        instructions: readRows<InstructionKeys>(reading, keys.instructions, instructionSchema),
        events: readRows<EventKeys>(reading, keys.events, eventSchema),
      };
    }
    this.errors = errors;
    this.warnings = warnings;
    this.seriesRoles = checker.seriesRoles;
  }

  /** The checked file; where it has errors, what is wrong is absent. */
  #readKeys(checker: DocumentChecker): ScenarioKeys | null {
    const content = this.files.read(this.file);
    if (content === null) {
      const place = { file: this.shownFile, line: 0, column: 0, keyPath: "" };
      checker.errors.push(inputError({ ...place, found: "no such file", allowed: "a scenario file that can be read" }));
      return null;
    }
    const document = readYaml(this.shownFile, content.toString("utf8").replace(/^\uFEFF/, ""), checker.errors);
    if (document === null) return null;
    return (checker.check(scenarioSchema as Schema, document.root, document.origin, "") as ScenarioKeys) ?? null;
  }

  /** A patch tried on this scenario: the paths that it cannot set. */
  refusalsOf(patch: Readonly<Record<string, number>>): PatchRefusal[] {
    return this.content === null ? [] : applyPatch(new DocumentChecker([]), patch, targetOf(this.content));
  }

  /** The numbers that the files give where a path leads; NaN where a key is not written. `null`: it leads nowhere. */
  numbersAt(path: string): number[] | null {
    return this.content === null ? null : numbersAt(new DocumentChecker([]), path, targetOf(this.content));
  }
}

/** Lists and members that a patch may change without the content's own being changed. */
export function targetOf({ keys, sites, vpps, awards }: ScenarioContent): PatchTarget {
  return {
    sites: [...sites],
    vpps: vpps.map((vpp) => ({ keys: vpp.keys, members: vpp.members.map((member) => ({ ...member })) })),
    awards,
    frequency: keys.frequency,
  };
}

/** Where the file names none, or none that there is. */
const NO_ZONE = "UTC";

/** A century: a slip of the pen in a year, which would run for hours, is longer. */
const LONGEST_MS = 36_525 * MS_PER_DAY;

/** @returns the time zone */
function checkHead(checker: DocumentChecker, keys: ScenarioKeys): string {
  if (keys.end <= keys.start) {
    checker.report(keys, "end", isoUtc(keys.end), `an instant after start, ${isoUtc(keys.start)}`);
  } else if (keys.end - keys.start > LONGEST_MS) {
    const latest = isoUtc(keys.start + LONGEST_MS);
    checker.report(keys, "end", isoUtc(keys.end), `an instant at most a hundred years after start, ${latest}`);
  }
  if (keys.timezone === undefined || IANAZone.isValidZone(keys.timezone)) return keys.timezone ?? NO_ZONE;
  checker.report(keys, "timezone", shown(keys.timezone), "an IANA time zone, as in Asia/Tokyo or UTC");
  return NO_ZONE;
}
