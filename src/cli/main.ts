#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { EXIT } from "./exitStatus.ts";
import { reportFailure } from "./failure.ts";

/** The commands; each loads its own code when it is called, so that `--help` costs nothing. */
function program(): Command {
  const vppsim = new Command("vppsim")
    .description("Discrete-event simulator and backtester for virtual power plants")
    .version(VERSION)
    .showHelpAfterError("(vppsim --help lists commands, vppsim <command> --help their options)")
    .exitOverride();
  vppsim
    .command("run")
    .description("run a scenario and write its report")
    .argument("<scenario>", "scenario file (YAML or JSON)")
    .option("--out <dir>", "folder of the report (default: reports/<scenario name>)")
    .option("--patch <file>", "YAML of study paths and values that change the scenario for this run")
    .option("--seed <n>", "another seed", wholeNumber)
    .option("--from <time>", "start later (ISO 8601 with offset or Z)")
    .option("--to <time>", "end earlier")
    .option("--format <list>", "csv, json, html, parquet, separated by commas")
    .option("--quiet", "no progress")
    .addOption(new Option("--json", "print one JSON object and nothing else"))
    .action(async (file, options) => (await import("./runCommand.ts")).runCommand(file, options));
  vppsim
    .command("validate")
    .description("read a scenario and all that it names, and report every mistake at once")
    .argument("<scenario>", "scenario file")
    .option("--json", "print one JSON object and nothing else")
    .action(async (file, options) => (await import("./validateCommand.ts")).validateCommand(file, options));
  vppsim
    .command("baseline")
    .description("write the baseline of a site with the days it comes from, and explain it")
    .argument("<scenario>", "scenario file")
    .requiredOption("--site <name>", "name of the site")
    .option("--out <dir>", "folder of the files (default: reports/<scenario name>-baseline-<site>)")
    .action(async (file, options) => (await import("./baselineCommand.ts")).baselineCommand(file, options));
  vppsim
    .command("init")
    .description("write a small commented scenario with data that runs")
    .argument("<dir>", "new or empty folder")
    .action(async (dir) => (await import("./initCommand.ts")).initCommand(dir));
  vppsim
    .command("compare")
    .description("set two reports side by side: figures, awards, and where they part")
    .argument("<report-a>", "folder of a report")
    .argument("<report-b>", "folder of another")
    .option("--out <dir>", "also write comparison.txt and comparison.json there")
    .option("--json", "print one JSON object and nothing else")
    .action(async (a, b, options) => (await import("./compareCommand.ts")).compareCommand(a, b, options));
  vppsim
    .command("explain")
    .description("tell why an award was not covered: what happened to it and its members, in order of time")
    .argument("<report-dir>", "folder of a report")
    .argument("<award-id>", "award or instruction, as in awards.csv")
    .option("--json", "print one JSON object and nothing else")
    .action(async (dir, id, options) => (await import("./explainCommand.ts")).explainCommand(dir, id, options));
  for (const command of vppsim.commands) command.exitOverride();
  return vppsim;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Found ${JSON.stringify(text)}, allowed a whole number.`);
  return value;
}

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  else process.exitCode = reportFailure(error);
}
