import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { utf8Text } from "../base/bytes.ts";
import { inputRefusal } from "../base/inputError.ts";
import { MS_PER_SECOND } from "../base/time.ts";
import { parseDuration } from "../inputs/scenario/parse/readScalar.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { textsIn } from "../report/html/page/pageLocale.ts";
import { type DriftLine, shadowVpp } from "../twin/shadow/shadowVpp.ts";
import { abortOnInterrupt } from "./abortOnInterrupt.ts";
import { printWarning } from "./printWarning.ts";
import { type AccessFlags, vppAddressOf } from "./twinAccess.ts";

interface ShadowFlags extends AccessFlags {
  readonly patch?: string;
  readonly every?: number;
  readonly for?: string;
  readonly out: string;
}

const EVERY_SECONDS = 60;

/** `vppsim twin shadow`. Ctrl-C ends it. */
export async function twinShadowCommand(file: string, baseUrl: string, flags: ShadowFlags): Promise<void> {
  const address = vppAddressOf(baseUrl, flags);
  const { every: everySeconds = EVERY_SECONDS, out } = flags;
  const source = new ScenarioSource(file, diskFiles);
  const interrupt = new AbortController();
  const release = abortOnInterrupt(interrupt);
  const { t } = textsIn("en");
  mkdirSync(out, { recursive: true });
  const driftFile = join(out, "drift.jsonl");
  try {
    const result = await shadowVpp({
      ...address,
      source,
      patch: flags.patch === undefined ? {} : readPatch(flags.patch, source.files),
      checkedKwMae: checkedKwMae(source.file),
      everySeconds,
      readsMax: flags.for === undefined ? Number.POSITIVE_INFINITY : readsWithin(flags.for, everySeconds),
      onLines: (lines) => appendFileSync(driftFile, lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
      onAlarm: (line, { alarm, state }) =>
        process.stderr.write(
          `${t(`twin.alarm_${state}`, { at: line.at, site: line.site, alarm: t(`twin.${alarm}`, figuresOf(line)) })}\n`,
        ),
      onWait: (seconds, why) => printWarning(t("twin.wait", { seconds: Math.ceil(seconds), why })),
      warn: printWarning,
      signal: interrupt.signal,
      sleep: (seconds) => setTimeout(MS_PER_SECOND * seconds, undefined, { signal: interrupt.signal }),
    });
    process.stdout.write(`${t("twin.shadow", { ...result, file: driftFile })}\n`);
  } finally {
    release();
  }
}

function readsWithin(duration: string, everySeconds: number): number {
  const ms = parseDuration(duration);
  if (ms === null) throw inputRefusal("--for", JSON.stringify(duration), "an ISO 8601 duration such as PT8H");
  return 1 + Math.floor(ms / (MS_PER_SECOND * everySeconds));
}

const figuresOf = ({ current_kw, twin_kw, soc, twin_soc }: DriftLine) => ({
  current: current_kw ?? "–",
  twin: twin_kw,
  soc: soc ?? "–",
  twinSoc: twin_soc ?? "–",
});

/** What the check whose scenario this is says of each site; empty beside any other scenario. */
function checkedKwMae(scenarioFile: string): ReadonlyMap<string, number> {
  const bytes = diskFiles.read(join(dirname(scenarioFile), "check.json"));
  const check = bytes === null ? null : JSON.parse(utf8Text(bytes));
  if (check?.format !== "vppsim-twin-check") return new Map();
  const sites: readonly { readonly site: string; readonly kw_mae: number | null }[] = check.sites;
  return new Map(sites.flatMap(({ site, kw_mae }) => (kw_mae === null ? [] : [[site, kw_mae] as const])));
}
