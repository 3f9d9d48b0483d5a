import { type Command, InvalidArgumentError, Option } from "commander";

/** `vppsim twin`: each command of it imports its code when it is called. */
export function addTwinCommands(vppsim: Command): void {
  const twin = vppsim.command("twin").description("make a scenario of a real VPP, calibrate it and prove it");
  for (const add of TWIN_COMMANDS) add(twin).exitOverride();
}

const TWIN_COMMANDS: readonly ((twin: Command) => Command)[] = [addImport, addCalibrate, addCheck, addShadow];

function addImport(twin: Command): Command {
  return addReadOptions(
    twin
      .command("import")
      .description("read a VPP in operation and write a scenario of it, with its measured series")
      .argument("<base-url>", "base address of the APIs"),
  )
    .option("--from <time>", "start of the period (ISO 8601 with offset or Z; default: 30 days before its end)")
    .option("--to <time>", "end of the period (default: the newest whole half hour of the VPP)")
    .option("--weather <file>", "irradiance and temperature of the period (CSV), for plants without a sensor")
    .option("--timezone <zone>", "IANA time zone of the scenario (default: UTC)")
    .option("--replace", "replace a finished import in the folder")
    .option("--out <dir>", "folder of the import (default: twin)")
    .option("--json", "print one JSON object")
    .action(async (baseUrl, options) => (await import("./twinImportCommand.ts")).twinImportCommand(baseUrl, options));
}

/** Options of the commands that read a VPP. */
function addReadOptions(command: Command): Command {
  return command
    .requiredOption("--vpp <id>", "id of the VPP: 32 lowercase hexadecimal digits")
    .requiredOption("--auth-url <url>", "base address of the token endpoint")
    .option("--token-file <file>", "file with the refresh token of the VPP")
    .addOption(
      new Option("--token <text>", "that token; other users of the machine can see it in the list of processes")
        .env("VPPSIM_TWIN_TOKEN")
        .conflicts("tokenFile"),
    )
    .option("--site-tokens <file>", "CSV file of sites: ems_id,refresh_token[,base_url,auth_url]");
}

function addCalibrate(twin: Command): Command {
  return measuredCommand(twin, "calibrate")
    .description("fit parameters of a scenario to measured series, with intervals and a patch")
    .option("--from <time>", "start of what is fitted (ISO 8601 with offset or Z; default: all that was measured)")
    .option("--to <time>", "its end")
    .option("--site <glob>", "sites that are fitted (default: all that were measured)")
    .option("--level <share>", "share of an interval (default: 0.95)", share)
    .option("--resamples <n>", "resamples of the measurements (default: 500)", count)
    .option("--seed <n>", "seed of the resamples (default: 1)", count)
    .option("--lang <language>", "language of pages and printed texts: en or ja (default: that of the scenario)")
    .option("--json", "print one JSON object")
    .requiredOption("--out <dir>", "folder of calibration.json, calibration.patch.yaml and calibration.html")
    .action(async (file, options) => (await import("./twinCalibrateCommand.ts")).twinCalibrateCommand(file, options));
}

function addCheck(twin: Command): Command {
  return measuredCommand(twin, "check")
    .description("run the twin over a measured period and say how far it is from the plant")
    .option("--patch <file>", "calibration.patch.yaml of a calibration")
    .requiredOption("--from <time>", "start of the period, which was not fitted (ISO 8601 with offset or Z)")
    .requiredOption("--to <time>", "its end")
    .option("--seeds <n>", "seeds over which effects of weights are averaged (default: 1)", count)
    .option("--lang <language>", "language of pages and printed texts: en or ja (default: that of the scenario)")
    .option("--json", "print one JSON object")
    .requiredOption("--out <dir>", "folder of check.json, check.html, the scenario of the period and its run")
    .action(async (file, options) => (await import("./twinCheckCommand.ts")).twinCheckCommand(file, options));
}

function addShadow(twin: Command): Command {
  return addReadOptions(
    twin
      .command("shadow")
      .description("run the twin beside the VPP in operation, and say where they drift apart")
      .argument("<scenario>", "scenario file, or folder with a scenario.yaml")
      .argument("<base-url>", "base address of the APIs"),
  )
    .option("--patch <file>", "calibration.patch.yaml of a calibration")
    .option("--every <seconds>", "real time between two reads (default: 60)", count)
    .option("--for <duration>", "real time until the end, such as PT8H (default: until it is stopped)")
    .requiredOption("--out <dir>", "folder of drift.jsonl, which grows by a line per site and read")
    .action(async (file, baseUrl, options) =>
      (await import("./twinShadowCommand.ts")).twinShadowCommand(file, baseUrl, options),
    );
}

/** A command on a scenario and measured series. */
const measuredCommand = (twin: Command, name: string): Command =>
  twin
    .command(name)
    .argument("<scenario>", "scenario file, or folder with a scenario.yaml")
    .option("--measured <file>", "measured series: CSV, gzip or Parquet (repeatable)", collect)
    .addOption(new Option("--from-import", "the folder measured beside the scenario").conflicts("measured"))
    .addOption(
      new Option("--label <edge>", "powers are means of the interval that begins or ends at the stamp").choices([
        "start",
        "end",
      ]),
    );

const collect = (text: string, texts: readonly string[] = []): readonly string[] => [...texts, text];

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError("A whole number of at least 1.");
  return Number(text);
}

function share(text: string): number {
  const value = Number(text);
  if (!(0.5 <= value && value < 1)) throw new InvalidArgumentError("A number from 0.5 to below 1, such as 0.95.");
  return value;
}
