#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { EXIT_STATUS } from "./exitStatus.ts";
import { reportFailure } from "./reportFailure.ts";

/** Each command imports its code when it is called, so that `--help` starts fast. */
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
    .option("--patch <file>", "YAML file of study paths and values that change the scenario for this run")
    .option("--seed <n>", "seed, instead of that of the scenario", wholeNumber)
    .option("--from <time>", "later start (ISO 8601 with offset or Z)")
    .option("--to <time>", "earlier end")
    .option("--format <list>", "csv, json, html, parquet, separated by commas")
    .option("--quiet", "no progress bar")
    .addOption(new Option("--json", "print one JSON object"))
    .action(async (file, options) => (await import("./runCommand.ts")).runCommand(file, options));
  vppsim
    .command("validate")
    .description("check a scenario and its files, and report all errors at once")
    .argument("<scenario>", "scenario file")
    .option("--json", "print one JSON object")
    .action(async (file, options) => (await import("./validateCommand.ts")).validateCommand(file, options));
  vppsim
    .command("study")
    .description("run many candidates of a scenario on many seeds, and find the best")
    .argument("<study>", "study file (YAML or JSON)")
    .option("--out <dir>", "folder of the report (default: reports/<study name>)")
    .option("--workers <n>", "number of threads (default: number of processors)", wholeNumber)
    .option("--redis <url>", "distribute the runs to vppsim worker processes through a Redis server")
    .option("--resume", "continue an unfinished study of the same folder")
    .option("--quiet", "no progress bar")
    .option("--json", "print one JSON object")
    .action(async (file, options) => (await import("./studyCommand.ts")).studyCommand(file, options));
  vppsim
    .command("worker")
    .description("run candidates for studies that use the same Redis server")
    .requiredOption("--redis <url>", "the server, for example redis://127.0.0.1:6379")
    .option("--concurrency <n>", "number of threads (default: number of processors)", wholeNumber)
    .action(async (options) => (await import("./workerCommand.ts")).workerCommand(options));
  vppsim
    .command("baseline")
    .description("write and explain the baseline of a site and its source days")
    .argument("<scenario>", "scenario file")
    .requiredOption("--site <name>", "name of the site")
    .option("--out <dir>", "folder of the files (default: reports/<scenario name>-baseline-<site>)")
    .action(async (file, options) => (await import("./baselineCommand.ts")).baselineCommand(file, options));
  vppsim
    .command("init")
    .description("write a small commented example scenario with its data")
    .argument("<dir>", "new or empty folder")
    .action(async (dir) => (await import("./initCommand.ts")).initCommand(dir));
  vppsim
    .command("compare")
    .description("compare two reports: key figures, awards, and the first divergence")
    .argument("<report-a>", "report folder A")
    .argument("<report-b>", "report folder B")
    .option("--out <dir>", "also write comparison.html, comparison.json and comparison.txt there")
    .option("--json", "print one JSON object")
    .action(async (a, b, options) => (await import("./compareCommand.ts")).compareCommand(a, b, options));
  vppsim
    .command("explain")
    .description("explain why an award was not covered or not delivered: its events and those of its members")
    .argument("<report-dir>", "report folder")
    .argument("<award-id>", "id of an award or instruction, as in awards.csv")
    .option("--json", "print one JSON object")
    .action(async (dir, id, options) => (await import("./explainCommand.ts")).explainCommand(dir, id, options));
  vppsim
    .command("serve")
    .description("serve a scenario live: the three APIs, tokens, telemetry, and the sandbox for clock and faults")
    .argument("<scenario>", "scenario file")
    .option("--host <address>", "listen address", "127.0.0.1")
    .option("--port <n>", "port of the APIs and the sandbox; 0: any free port", portNumber, 8080)
    .option("--auth-port <n>", "port of the token endpoint; 0: any free port", portNumber, 8081)
    .option("--speed <x>", "simulated seconds per real second, 0.1 to 100000, or max (default: 1)")
    .addOption(new Option("--paused", "start with the clock paused").conflicts("speed"))
    .option("--open-at <time>", "simulate up to this instant first, so that there is a history")
    .option("--journal <file>", "journal for crash recovery (default: .vppsim/<scenario name>.journal)")
    .option("--no-journal", "no journal")
    .addOption(new Option("--rate-limits <mode>", "rate limits of the APIs").choices(["on", "off"]).default("on"))
    .option("--report <dir>", "write the report of the session there when the server stops")
    .option("--sandbox-token <text>", "token required in X-Sandbox-Token; mandatory if --host is not loopback")
    .option("--token-secret <text>", "secret for refresh tokens; mandatory if --host is not loopback")
    .action(async (file, options) => (await import("./serveCommand.ts")).serveCommand(file, options));
  for (const command of vppsim.commands) command.exitOverride();
  return vppsim;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Found ${JSON.stringify(text)}, allowed: an integer.`);
  return value;
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (0 <= port && port <= 65_535) return port;
  throw new InvalidArgumentError(`Found ${port}, allowed: a port from 0 to 65535.`);
}

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? EXIT_STATUS.done : EXIT_STATUS.badInput;
  else process.exitCode = reportFailure(error);
}
