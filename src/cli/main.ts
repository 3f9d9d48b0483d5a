#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { EXIT_STATUS } from "./exitStatus.ts";
import { reportFailure } from "./reportFailure.ts";

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
    .description("read a scenario with all files that it names, and report all errors at once")
    .argument("<scenario>", "scenario file")
    .option("--json", "print one JSON object and nothing else")
    .action(async (file, options) => (await import("./validateCommand.ts")).validateCommand(file, options));
  vppsim
    .command("study")
    .description("run many candidates of a scenario on many seeds, and find the best")
    .argument("<study>", "study file (YAML or JSON)")
    .option("--out <dir>", "folder of the report (default: reports/<study name>)")
    .option("--workers <n>", "threads (default: as many as there are processors)", wholeNumber)
    .option("--redis <url>", "hand the runs to vppsim worker processes through a Redis server")
    .option("--resume", "go on with what an unfinished study in that place has run")
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object and nothing else")
    .action(async (file, options) => (await import("./studyCommand.ts")).studyCommand(file, options));
  vppsim
    .command("worker")
    .description("run candidates of studies that other processes hand out through a Redis server")
    .requiredOption("--redis <url>", "the server, as redis://127.0.0.1:6379")
    .option("--concurrency <n>", "threads (default: as many as there are processors)", wholeNumber)
    .action(async (options) => (await import("./workerCommand.ts")).workerCommand(options));
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
    .option("--out <dir>", "also write comparison.html, comparison.json and comparison.txt there")
    .option("--json", "print one JSON object and nothing else")
    .action(async (a, b, options) => (await import("./compareCommand.ts")).compareCommand(a, b, options));
  vppsim
    .command("explain")
    .description("tell why an award was not covered: what happened to it and its members, in order of time")
    .argument("<report-dir>", "folder of a report")
    .argument("<award-id>", "award or instruction, as in awards.csv")
    .option("--json", "print one JSON object and nothing else")
    .action(async (dir, id, options) => (await import("./explainCommand.ts")).explainCommand(dir, id, options));
  vppsim
    .command("serve")
    .description("serve a scenario live: the three APIs, tokens, telemetry and the sandbox that controls the clock")
    .argument("<scenario>", "scenario file")
    .option("--host <address>", "address to listen at", "127.0.0.1")
    .option("--port <n>", "of the APIs and the sandbox; 0: any free one", portNumber, 8080)
    .option("--auth-port <n>", "of the token endpoint; 0: any free one", portNumber, 8081)
    .option("--speed <x>", "simulated seconds in a real one, 0.1 to 100000, or max (default: 1)")
    .addOption(new Option("--paused", "begin with the clock held").conflicts("speed"))
    .option("--open-at <time>", "run to this instant first, so that history exists")
    .option("--journal <file>", "where commands are kept through a crash (default: .vppsim/<scenario name>.journal)")
    .option("--no-journal", "keep nothing")
    .addOption(new Option("--rate-limits <mode>", "hourly budgets of the APIs").choices(["on", "off"]).default("on"))
    .option("--report <dir>", "write the session's report there when it ends")
    .option("--sandbox-token <text>", "asked for in X-Sandbox-Token; needed where --host is not loopback")
    .option("--token-secret <text>", "what refresh tokens are derived from; needed where --host is not loopback")
    .action(async (file, options) => (await import("./serveCommand.ts")).serveCommand(file, options));
  for (const command of vppsim.commands) command.exitOverride();
  return vppsim;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Found ${JSON.stringify(text)}, allowed a whole number.`);
  return value;
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (0 <= port && port <= 65_535) return port;
  throw new InvalidArgumentError(`Found ${port}, allowed a port from 0 to 65535.`);
}

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? EXIT_STATUS.done : EXIT_STATUS.badInput;
  else process.exitCode = reportFailure(error);
}
