import { canonicalJson, canonicalWriter, KeyOrder, sortedEntries } from "../../base/canonicalJson.ts";
import { createSha256, digestHex, type Sha256, sha256Hex, sha256OfPieces } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import { Series } from "../../engine/series/model/series.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";

/**
 * Digest of everything that affects the results of a run: same digest, same reports.
 *
 * Names of files and series, descriptions, comments and report formats are excluded, so that a scenario has the same
 * hash after a move, renaming or export. Series are included by their samples within the run's period
 * (docs/model/report-files.md#formats).
 *
 * @param intervals of the records in milliseconds, which determine the rows of a report
 * @param others further content of a report: results of the bids, inputs of a settlement, opening of an exported
 * session
 */
export function scenarioHash(
  world: WorldSpec,
  intervals: Readonly<Record<string, number | null>>,
  timezone: string,
  { settlement, bids, sessionOpenedMs }: ReportInputs,
  digestOf: SeriesDigest,
): string {
  const { awards, ...others } = world;
  const settled = settlement === null ? {} : { settlement };
  const session = sessionOpenedMs === null ? {} : { sessionOpenedMs };
  const offered = bids.length === 0 ? {} : { bids: sha256Hex(JSON.stringify(bids)) };
  const effective = {
    format: 1,
    timezone,
    ...intervals,
    ...others,
    awards: digestOfAwards(awards, digestOf),
    ...settled,
    ...offered,
    ...session,
  };
  return sha256OfPieces(canonicalPieces(effective, digestOf));
}

interface ReportInputs {
  readonly settlement: object | null;
  readonly bids: readonly object[];
  readonly sessionOpenedMs: EpochMs | null;
}

/** Canonical JSON of the effective scenario, piece by piece: that of a large world would be a long text. */
function* canonicalPieces(effective: object, digestOf: SeriesDigest): Iterable<string> {
  const textOf = canonicalWriter((value) => hashedValue(value, digestOf));
  let separator = "{";
  for (const [key, member] of sortedEntries(effective)) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (Array.isArray(member)) yield* listPieces(member, textOf);
    else yield textOf(member);
  }
  yield "}";
}

/** Sites of one entry follow each other and share most members, so the last text of each key is kept. */
function* listPieces(
  items: readonly Readonly<Record<string, unknown>>[],
  textOf: (value: unknown) => string,
): Iterable<string> {
  const order = new KeyOrder();
  const known = new Map<string, { readonly value: unknown; readonly text: string }>();
  let separator = "[";
  for (const item of items) {
    const { keys, labels } = order.of(item);
    let text = "";
    for (let k = 0; k < keys.length; k++) {
      const value = item[keys[k]];
      if (value === undefined) continue;
      let last = known.get(keys[k]);
      if (last?.value !== value) known.set(keys[k], (last = { value, text: `${labels[k]}${textOf(value)}` }));
      text += `${text === "" ? "" : ","}${last.text}`;
    }
    yield `${separator}{${text}}`;
    separator = ",";
  }
  yield items.length === 0 ? "[]" : "]";
}

/** Replaces series by digests, and infinite numbers by text, since JSON would turn them into null. */
function hashedValue(value: unknown, digestOf: SeriesDigest): unknown {
  if (value instanceof Series) return { series: digestOf(value) };
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/** Numbers per award in the digest. */
const NUMBERS_PER_AWARD = 10;

/**
 * Hashes numbers as bytes and the rest as lines: canonical JSON of a year of half hours takes longer than reading the
 * file.
 */
function digestOfAwards(awards: WorldSpec["awards"], digestOf: SeriesDigest): string {
  const numbers = new Float64Array(NUMBERS_PER_AWARD * awards.length);
  const hash = createSha256();
  let lines = "";
  for (let k = 0, n = 0; k < awards.length; k++) {
    const award = awards[k];
    numbers[n++] = award.vpp;
    numbers[n++] = award.startMs;
    numbers[n++] = award.endMs;
    numbers[n++] = award.registeredMs;
    numbers[n++] = encodeNumberOrSeries(award.deltaKw);
    numbers[n++] = encodeNumberOrSeries(award.fcrResponseKw);
    lines += `${k === 0 ? "" : "\n"}${award.awardId} ${award.sku}`;
    for (const key of OPTIONAL_AMOUNTS) {
      const value = award[key];
      numbers[n++] = encodeNumberOrSeries(value);
      if (value instanceof Series) lines += ` ${digestOf(value)}`;
    }
    if (award.compoundBreakdown !== null) lines += canonicalJson(award.compoundBreakdown);
    if (lines.length < LINES_LENGTH) continue;
    hash.update(lines);
    lines = "";
  }
  hash.update(lines);
  updateHash(hash, numbers);
  return digestHex(hash);
}

/** Of an award; each is a number, a series or absent. */
const OPTIONAL_AMOUNTS = ["activation", "capacityPriceJpyPerKwHour", "priceJpyPerKwh", "penaltyJpyPerKwh"] as const;

/** Characters that are hashed at once. */
const LINES_LENGTH = 1 << 16;

/** Infinite numbers, which awards cannot have, encode "absent" and "a series" (its digest is in the line). */
const encodeNumberOrSeries = (value: NumberOrSeries | null): number =>
  value === null ? Number.POSITIVE_INFINITY : typeof value === "number" ? value : Number.NEGATIVE_INFINITY;

/** Digest of the samples of a series that affect its values within a run. */
export type SeriesDigest = (series: Series) => string;

/** Computes the digest of each series once. */
export function createSeriesDigest({
  startMs,
  endMs,
  frequencyHz,
  sites,
}: Pick<WorldSpec, "startMs" | "endMs" | "frequencyHz" | "sites">): SeriesDigest {
  const digests = new Map<Series, string>();
  const responseDelayMs = sites.reduce((longestMs, { fcr }) => Math.max(longestMs, fcr.responseDelayMs ?? 0), 0);
  return (series) => {
    let digest = digests.get(series);
    const fromMs = series === frequencyHz ? startMs - responseDelayMs : startMs;
    if (digest === undefined) digests.set(series, (digest = digestBetween(series, fromMs, endMs)));
    return digest;
  };
}

function digestBetween(series: Series, startMs: EpochMs, endMs: EpochMs): string {
  const { timesMs, values, stepMs, interpolation } = series;
  const first = series.indexAt(Math.max(startMs, timesMs[0]));
  let last = series.indexAt(Math.min(endMs, series.untilMs));
  // A linear series depends on the sample after the end; a stamp exactly at the end has no effect.
  if (timesMs[last] >= endMs && last > first) last--;
  if (interpolation === "linear" && last + 1 < timesMs.length) last++;
  const hash = createSha256();
  hash.update(interpolation);
  if (stepMs > 0) hash.update(`even ${timesMs[first]} ${stepMs} ${last - first + 1}`);
  else updateHash(hash, timesMs.subarray(first, last + 1));
  updateHash(hash, values.subarray(first, last + 1));
  return digestHex(hash);
}

/** The bytes as little-endian doubles, the order of every machine that runs Node.js in practice. */
const updateHash = (hash: Sha256, numbers: Float64Array): void => {
  hash.update(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
};
