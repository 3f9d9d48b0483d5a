import { IANAZone } from "luxon";
import { createSha256, digestHex, sha256Hex } from "../../base/ids.ts";
import { ErrorCollector, formatValue, missingIn, NO_SUCH_FILE, NO_VALUE } from "../../base/inputError.ts";
import { join, resolve } from "../../base/paths.ts";
import { isoUtc, MS_PER_DAY } from "../../base/time.ts";
import type { ScenarioEvent } from "../../engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../engine/site/siteSpec.ts";
import type { AwardSpec, InstructionSpec } from "../../engine/vpp/instructions/instructionSpec.ts";
import type { CommandList } from "./build/buildAwards.ts";
import type { ClearedBids } from "./build/buildBids.ts";
import { CAPEX_FLAG, CAPEX_REQUIRED, type InvestmentFlags, mergeInvestment } from "./build/buildInvestment.ts";
import type { DayBaselineBuilder } from "./build/dayBaselineBuilder.ts";
import { type ExpandedSite, type ExpandedVpp, expandMembers, expandSites } from "./build/expandEntries.ts";
import type { SeriesRegistry } from "./build/seriesRegistry.ts";
import { RemarkCollector } from "./checks/remark.ts";
import { checkDocument } from "./openDocument.ts";
import { decodeText } from "./parse/decodeText.ts";
import { DocumentChecker } from "./parse/documentChecker.ts";
import type { ScenarioFiles } from "./parse/loadContext.ts";
import { readEntries } from "./parse/readEntries.ts";
import { readYaml } from "./parse/readYaml.ts";
import type { SourceNode } from "./parse/sourceNode.ts";
import { applyPatch, type PatchRefusal, type PatchTarget, readValuesAt } from "./patch/applyPatch.ts";
import type { Patch } from "./patch/patchValue.ts";
import {
  type AwardConfig,
  awardSchema,
  type BidConfig,
  bidSchema,
  type InstructionConfig,
  instructionSchema,
} from "./schema/awardSchema.ts";
import { type EventConfig, eventSchema } from "./schema/eventSchema.ts";
import { type ScenarioConfig, scenarioSchema } from "./schema/scenarioSchema.ts";
import type { SiteConfig } from "./schema/siteSchema.ts";

/** Content of a scenario's files before any patch. */
export interface ScenarioContent {
  readonly config: ScenarioConfig;
  /** Of market days. */
  readonly timezone: string;
  readonly sites: readonly ExpandedSite[];
  readonly vpps: readonly ExpandedVpp[];
  readonly awards: readonly AwardConfig[];
  readonly bids: readonly BidConfig[];
  readonly instructions: readonly InstructionConfig[];
  readonly events: readonly EventConfig[];
}

/** Results of the build without a patch. Later builds reuse those that a patch does not change. */
interface UnpatchedBuild {
  readonly series: SeriesRegistry;
  readonly sites: ReadonlyMap<SiteConfig, SiteSpec>;
  readonly dayBaselines: DayBaselineBuilder;
  readonly bids: ClearedBids;
  readonly awards: CommandList<AwardSpec>;
  readonly instructions: CommandList<InstructionSpec>;
  readonly events: CommandList<ScenarioEvent>;
}

/** What a folder in the place of a scenario stands for. */
const SCENARIO_IN_FOLDER = "scenario.yaml";

/** A scenario's files, read once for any number of builds. */
export class ScenarioSource {
  /** Absolute path of the scenario file. */
  readonly file: string;
  readonly displayPath: string;
  readonly files: ScenarioFiles;
  /** SHA-256 of all files read so far, by absolute path. */
  readonly readFiles = new Map<string, string>();
  /** Errors of reading; a build adds its own. */
  readonly errors: ErrorCollector;
  readonly remarks: RemarkCollector;
  /** Texts that name a series and its role, in reading order. */
  readonly seriesReferences: readonly string[];
  /** `null` where the file is not valid YAML. */
  readonly content: ScenarioContent | null;
  /** Set by the first successful build without a patch. */
  unpatchedBuild: UnpatchedBuild | null = null;

  /** Of the command line. */
  readonly investment: InvestmentFlags;

  /**
   * @param path  the scenario file, or a folder with a scenario.yaml
   * @param investment  keys of the command line, in place of those of the file
   */
  constructor(path: string, files: ScenarioFiles, investment: InvestmentFlags = {}) {
    this.investment = investment;
    const folder = files.isFolder?.(path) === true ? path : null;
    const file = folder === null ? path : join(folder, SCENARIO_IN_FOLDER);
    const errors = new ErrorCollector();
    const remarks = new RemarkCollector();
    const checker = new DocumentChecker(errors);
    this.file = resolve(file);
    this.displayPath = file;
    this.files = {
      read: (path) => {
        const content = files.read(path);
        if (content !== null) this.readFiles.set(resolve(path), sha256Hex(content));
        return content;
      },
      openPieces: (path) => {
        const opened = files.openPieces?.(path) ?? null;
        return opened === null ? null : { ...opened, pieces: this.hashed(path, opened.pieces) };
      },
    };
    const reading = { file: this.file, displayPath: file, files: this.files, checker, remarks };
    const config = this.readConfig(checker, folder);
    if (config === null) this.content = null;
    else {
      const timezone = checkTimezoneAndPeriod(checker, config);
      const sites = expandSites(reading, config.sites);
      this.content = {
        config: withInvestment(checker, config, investment),
        timezone,
        sites,
        vpps: expandMembers(reading, config.vpps, sites),
        awards: readEntries<AwardConfig>(reading, config.awards, awardSchema),
        bids: readEntries<BidConfig>(reading, config.bids, bidSchema),
        instructions: readEntries<InstructionConfig>(reading, config.instructions, instructionSchema),
        events: readEntries<EventConfig>(reading, config.events, eventSchema),
      };
    }
    this.errors = errors;
    this.remarks = remarks;
    this.seriesReferences = checker.seriesReferences;
  }

  /** The pieces, with their digest in `readFiles` after the last one. */
  private *hashed(path: string, pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    const hash = createSha256();
    for (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
    this.readFiles.set(resolve(path), digestHex(hash));
  }

  /** The checked file; faulty values are absent. */
  private readConfig(checker: DocumentChecker, folder: string | null): ScenarioConfig | null {
    const content = this.files.read(this.file);
    if (content === null) {
      const found = folder === null ? NO_SUCH_FILE : missingIn(SCENARIO_IN_FOLDER, folder);
      const place = { file: folder ?? this.displayPath, line: 0, column: 0, keyPath: "" };
      checker.errors.report({ ...place, found, allowed: "a readable scenario file" });
      return null;
    }
    const text = decodeText(this.displayPath, content, checker.errors);
    const document = text === null ? null : readYaml(this.displayPath, text, checker.errors);
    if (document === null) return null;
    const { root, origin } = document;
    if (namesScenario(root)) {
      const isDrill = root.kind === "map" && root.entries.has("goals");
      const found = isDrill ? "a drill" : "a study";
      const command = isDrill ? "check a drill with: vppsim drill validate" : "run a study with: vppsim study";
      const allowed = `a scenario; ${command} ${this.displayPath}`;
      checker.errors.report({ file: this.displayPath, ...origin.locate(0), keyPath: "", found, allowed });
      return null;
    }
    return checkDocument(checker, scenarioSchema, document) ?? null;
  }

  /** Applies a patch to a copy. @returns the refused paths */
  checkPatch(patch: Patch): PatchRefusal[] {
    return this.content === null
      ? []
      : applyPatch(new DocumentChecker(new ErrorCollector()), patch, createPatchTarget(this.content));
  }

  /** The sites with a patch, as far as it is accepted. */
  sitesWith(patch: Patch): readonly ExpandedSite[] {
    if (this.content === null) return [];
    const target = createPatchTarget(this.content);
    applyPatch(new DocumentChecker(new ErrorCollector()), patch, target);
    return target.sites;
  }

  /** Values at a path; `null` for an absent key, and for a path that does not exist. */
  readValuesAt(path: string): (number | string | null)[] | null {
    return this.content === null
      ? null
      : readValuesAt(new DocumentChecker(new ErrorCollector()), path, createPatchTarget(this.content));
  }
}

/** The file with the keys of flags, which override its own. */
function withInvestment(checker: DocumentChecker, config: ScenarioConfig, flags: InvestmentFlags): ScenarioConfig {
  if (Object.keys(flags).length === 0) return config;
  const investment = mergeInvestment(config.investment, flags);
  if (investment !== null) return { ...config, investment };
  checker.errors.report({ ...CAPEX_FLAG, found: NO_VALUE, allowed: CAPEX_REQUIRED });
  return config;
}

/** Studies and drills name their scenario; a scenario has sites. */
const namesScenario = (root: SourceNode): boolean =>
  root.kind === "map" && root.entries.has("scenario") && !root.entries.has("sites");

/** Copies of the lists and members that a patch may change. */
export function createPatchTarget({ config, sites, vpps, awards, bids }: ScenarioContent): PatchTarget {
  return {
    sites: [...sites],
    vpps: vpps.map((vpp) => ({ config: vpp.config, members: vpp.members.map((member) => ({ ...member })) })),
    awards,
    bids,
    parts: config,
  };
}

/** For an absent or invalid time zone. */
const DEFAULT_TIMEZONE = "UTC";

/** A longer period is taken as a typing error in a year; its run would take hours. */
const DURATION_MAX_MS = 36_525 * MS_PER_DAY;

/** Of instants in these years a double holds fractions of 1/1024 ms (docs/model/scenario-format.md#run-years). */
const [FIRST_INSTANT_MS, LAST_INSTANT_MS] = [Date.UTC(1700, 0, 1), Date.UTC(2201, 0, 1)];

/** @returns the time zone */
function checkTimezoneAndPeriod(checker: DocumentChecker, keys: ScenarioConfig): string {
  if (keys.end <= keys.start) {
    checker.reportError(keys, "end", isoUtc(keys.end), `an instant after start, ${isoUtc(keys.start)}`);
  } else if (keys.end - keys.start > DURATION_MAX_MS) {
    const latest = isoUtc(keys.start + DURATION_MAX_MS);
    checker.reportError(keys, "end", isoUtc(keys.end), `an instant at most a hundred years after start, ${latest}`);
  } else {
    const outside = (["start", "end"] as const).filter(
      (key) => keys[key] < FIRST_INSTANT_MS || LAST_INSTANT_MS < keys[key],
    );
    for (const key of outside)
      checker.reportError(keys, key, isoUtc(keys[key]), "an instant of the years 1700 to 2200");
  }
  if (keys.timezone === undefined || IANAZone.isValidZone(keys.timezone)) return keys.timezone ?? DEFAULT_TIMEZONE;
  checker.reportError(keys, "timezone", formatValue(keys.timezone), "an IANA time zone, as in Asia/Tokyo or UTC");
  return DEFAULT_TIMEZONE;
}
