import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { errorCode } from "../base/errorCode.ts";
import { DATE_ORDERS } from "../inputs/formats/time/parseDate.ts";
import { VERSION } from "../version.ts";
import { completionScript, SHELLS } from "./completionScript.ts";
import { EXIT_STATUS } from "./exitStatus.ts";
import { GENERAL_DOCUMENTS, HELP_DOCUMENTS, HELP_EXAMPLES, helpEnd, helpList } from "./helpExamples.ts";
import { addTwinCommands } from "./twinCommand.ts";

const LANG_HELP = "language of pages and printed texts: en or ja (default: that of the scenario); files are English";
const PATCH_HELP =
  'YAML file of study paths with numbers or changes such as "*1.2", for this run (repeatable, in order)';
const TZ_HELP = "IANA time zone of printed times (default: that of the scenario); files are in UTC";

/** Each command imports its code when it is called, so that `--help` starts fast. */
export function program(): Command {
  const vppsim = new Command("vppsim")
    .description("Discrete-event simulator and backtester for virtual power plants")
    .version(VERSION)
    .showHelpAfterError("(vppsim --help lists commands, vppsim <command> --help their options)")
    .exitOverride();
  addRunCommands(vppsim);
  addStudyCommands(vppsim);
  addSiteCommands(vppsim);
  addImportCommand(vppsim);
  addReportCommands(vppsim);
  addPlanCommand(vppsim);
  addSettleCommand(vppsim);
  addServeCommand(vppsim);
  addDrillCommands(vppsim);
  addPlaygroundCommand(vppsim);
  addTwinCommands(vppsim);
  addCompletionCommand(vppsim);
  for (const command of vppsim.commands) {
    command.exitOverride();
    const name = command.name();
    command.addHelpText("after", `${helpList("Examples", HELP_EXAMPLES[name])}${helpEnd(HELP_DOCUMENTS[name])}`);
  }
  vppsim.addHelpText("after", helpEnd(GENERAL_DOCUMENTS));
  return vppsim;
}

function addRunCommands(vppsim: Command): void {
  const run = vppsim
    .command("run")
    .description("run a scenario and write its report")
    .argument("<scenario>", "scenario file (YAML or JSON), or folder with a scenario.yaml")
    .option("--out <dir>", "folder of the report (default: reports/<scenario name>)")
    .option("--patch <file>", PATCH_HELP, collect)
    .option("--seed <n>", "seed, instead of that of the scenario", wholeNumber)
    .option("--from <time>", "later start (ISO 8601 with offset or Z)")
    .option("--to <time>", "earlier end")
    .option("--format <list>", "csv, json, html, parquet, xlsx, separated by commas")
    .option("--times <zone>", "utc or local: times of csv, json and xlsx (default: utc, local for a spreadsheet)")
    .option("--csv <dialect>", "plain, or excel: CSV files that a spreadsheet opens as they are (default: plain)")
    .option("--workers <n>", "number of threads for VPPs that share nothing (default: 1)", wholeNumber)
    .addOption(
      new Option(
        "--redis <url>",
        "distribute VPPs that share nothing to vppsim worker processes through a Redis server",
      ).conflicts("workers"),
    )
    .option("--tz <zone>", TZ_HELP)
    .option("--lang <language>", LANG_HELP)
    .option("--open", "open report.html in the browser")
    .option("--quiet", "no progress bar")
    .addOption(new Option("--json", "print one JSON object"))
    .action(async (file, options) => void (await (await import("./runCommand.ts")).runCommand(file, options)));
  addInvestmentOptions(run);
  vppsim
    .command("validate")
    .description("check a scenario and its files, and report all errors at once")
    .argument("<scenario>", "scenario file, or folder with a scenario.yaml")
    .option("--json", "print one JSON object")
    .action(async (file, options) => (await import("./validateCommand.ts")).validateCommand(file, options));
}

/** Options of the commands that value batteries as an investment. */
const addInvestmentOptions = (command: Command): Command =>
  command
    .option("--capex <price>", "price of the batteries per rated kWh; a run of 28 days at least", priceNumber)
    .option("--capex-kw <price>", "price per kW of their power (default: 0)", priceNumber)
    .option("--opex <price>", "operating cost per rated kWh and year (default: 0)", priceNumber)
    .option("--lifetime <years>", "years of operation (default: 20)", lifetimeNumber)
    .option("--discount <pct>", "discount rate in % a year (default: 3)", percentNumber);

function addStudyCommands(vppsim: Command): void {
  const study = vppsim
    .command("study")
    .description("run many candidates of a scenario on many seeds, and find the best")
    .argument("<study>", "study file (YAML or JSON), or folder with a study.yaml or one *.study.yaml")
    .option("--out <dir>", "folder of the report (default: reports/<study name>)")
    .option("--workers <n>", "number of threads (default: number of processors)", wholeNumber)
    .option("--redis <url>", "distribute the runs to vppsim worker processes through a Redis server")
    .option("--resume", "continue an unfinished study of the same folder")
    .option("--lang <language>", LANG_HELP)
    .option("--open", "open report.html in the browser")
    .option("--quiet", "no progress bar")
    .option("--json", "print one JSON object")
    .action(async (file, options) => (await import("./studyCommand.ts")).studyCommand(file, options));
  addInvestmentOptions(study);
  vppsim
    .command("worker")
    .description("run candidates of studies and parts of runs that use the same Redis server")
    .requiredOption("--redis <url>", "the server, for example redis://127.0.0.1:6379")
    .option("--concurrency <n>", "number of threads (default: number of processors)", wholeNumber)
    .action(async (options) => (await import("./workerCommand.ts")).workerCommand(options));
}

function addSiteCommands(vppsim: Command): void {
  vppsim
    .command("baseline")
    .description("write and explain the baseline of a site and its source days")
    .argument("<scenario>", "scenario file, or folder with a scenario.yaml")
    .requiredOption("--site <name>", "name of the site", composedText)
    .option("--out <dir>", "folder of the files (default: reports/<scenario name>-baseline-<site>)")
    .option("--json", "print one JSON object")
    .action(async (file, options) => (await import("./baselineCommand.ts")).baselineCommand(file, options));
  vppsim
    .command("init")
    .description(
      "write an example scenario with its data, or one that runs from published files; without a folder, list the examples",
    )
    .argument("[dir]", "new or empty folder")
    .option("--example <name>", "a shipped scenario (default: a small commented one)")
    .addOption(
      new Option(
        "--files",
        "a month of made-up files to import, in the folder raw; no scenario (docs/tutorial.md)",
      ).conflicts(["example", "from"]),
    )
    .addOption(
      new Option(
        "--from <files>",
        "published files, separated by commas: prices, market results, weather, load",
      ).conflicts("example"),
    )
    .option("--area <area>", "area of prices and market results, such as tokyo; with --from")
    .option("--kw <n>", "power of the battery and capacity of its awards; with --from (default: 1000)", finiteNumber)
    .action(async (dir, options) => (await import("./initCommand.ts")).initCommand(dir, options));
}

function addImportCommand(vppsim: Command): void {
  vppsim
    .command("import")
    .description(
      "read published files (prices, market results, meters, weather) and write series or awards of a scenario",
    )
    .argument("[format]", "format of the files; auto: detect it; without a format: list all formats")
    .argument("[files...]", "files of one format")
    .option("--out <dir>", "folder of the written files")
    .option("--detect", "list the formats that the files may have")
    .option("--preview", "print encoding, range, gaps, first rows and a plot instead of writing files")
    .option("--name <name>", "name of the series in the scenario (default: the format)")
    .option("--replace", "replace a file of this name with other content")
    .option("--area <area>", "area of the market or grid operator, such as tokyo")
    .option("--section <name>", "part of a file of market results")
    .option("--sequence <text>", "auction, as printed")
    .option("--point <id>", "supply point of a meter file")
    .option("--year <n>", "year of a typical year", wholeNumber)
    .option("--tz <zone>", "IANA time zone of local times (default: Asia/Tokyo)")
    .addOption(
      new Option("--encoding <name>", "encoding (default: detected)").choices([
        "utf-8",
        "utf-16le",
        "utf-16be",
        "cp932",
        "euc-jp",
        "windows-1252",
      ]),
    )
    .addOption(new Option("--delimiter <sign>", "delimiter (default: detected)").choices([",", ";", "tab"]))
    .addOption(new Option("--decimal <sign>", "decimal sign (default: .)").choices([".", ","]))
    .addOption(new Option("--date-order <order>", "order of dates whose year is not first").choices(DATE_ORDERS))
    .addOption(new Option("--label <part>", "position of a time in its interval").choices(["start", "end"]))
    .option("--column <role=header>", "column of a role (repeatable)", collect)
    .option("--unit <role=unit>", "unit of a column (repeatable)", collect)
    .option("--negate <role>", "reverse the sign of a column (repeatable)", collect)
    .option("--missing <text>", "further mark of a missing value (repeatable)", collect)
    .option(
      "--register <role>",
      "column that is a counter, read by its differences; none: no column is (repeatable)",
      collect,
    )
    .option("--where <header=value>", "only rows with this cell (repeatable)", collect)
    .option("--header-row <n>", "line of the file with the names of the columns", wholeNumber)
    .option(
      "--time-column <header>",
      "column of times: date or time stamp, time of day or slot code, end (repeatable)",
      collect,
    )
    .option("--slot-minutes <n>", "length of a slot code, where no day is whole", wholeNumber)
    .option("--kw <n>", "capacity of the VPP whose awards are made of market results", finiteNumber)
    .addOption(
      new Option("--price <statistic>", "price of these awards (default: mean)").choices(["mean", "max", "min"]),
    )
    .option("--json", "print one JSON object")
    .action(async (format, files, options) =>
      (await import("./importCommand.ts")).importCommand(format, files, options),
    );
}

function addReportCommands(vppsim: Command): void {
  const compare = vppsim
    .command("compare")
    .description(
      "compare two to twelve reports in kWh and in money: key figures, awards, sites; of two also the first divergence",
    )
    .argument("<reports...>", "report folders; differences are to the first")
    .option("--names <names>", 'what to call them, with commas between: --names "now,plus 20 %"')
    .option("--out <dir>", "also write comparison.html, comparison.json and comparison.txt there")
    .option("--tz <zone>", TZ_HELP)
    .option("--lang <language>", LANG_HELP)
    .option("--open", "open comparison.html in the browser; needs --out")
    .option("--json", "print one JSON object")
    .action(async (reports, options) => (await import("./compareCommand.ts")).compareCommand(reports, options));
  addInvestmentOptions(compare);
  vppsim
    .command("explain")
    .description("explain why an award was not covered or not delivered: its events and those of its members")
    .argument("<report-dir>", "report folder")
    .argument("<award-id>", "id of an award or instruction, as in awards.csv", composedText)
    .option("--tz <zone>", TZ_HELP)
    .option("--lang <language>", LANG_HELP)
    .option("--json", "print one JSON object")
    .action(async (dir, id, options) => (await import("./explainCommand.ts")).explainCommand(dir, id, options));
  vppsim
    .command("verify")
    .description("run the scenario of a report again and compare all files; exit status 1 if one differs")
    .argument("<report>", "report folder, or its zip")
    .option("--scenario <file>", "the scenario of the report (default: that in its folder project)")
    .option("--json", "print one JSON object")
    .action(async (report, options) => (await import("./verifyCommand.ts")).verifyCommand(report, options));
}

function addPlanCommand(vppsim: Command): void {
  const plan = vppsim
    .command("plan")
    .description("plan batteries against a price, day by day, and write the scenario that runs by the plan")
    .argument(
      "<scenario>",
      "scenario with market.energy_price or settlement.prices.spot, or folder with a scenario.yaml",
    )
    .option("--site <name...>", "sites to plan (default: every battery that can be planned)", collectNames)
    .option("--patch <file>", PATCH_HELP, collect)
    .option(
      "--forecast <rule>",
      "price forecast for a day: perfect, previous_day, or file (market.price_forecast)",
      "previous_day",
    )
    .option(
      "--cycles-per-day <number>",
      "limit of the discharge from the cells on a day, in usable capacities",
      finiteNumber,
    )
    .option("--fee <price>", "exchange fee per kWh bought or sold (default: market.fee_per_kwh, else 0)", priceNumber)
    .option("--wear <price>", "wear per kWh discharged (default: market.wear_per_kwh, else 0)", priceNumber)
    .option("--reserve <sku>", "offer upward reserve of this product")
    .option(
      "--reserve-price <price>",
      "price of the reserve per kW and 30 minutes (default: that of the scenario)",
      finiteNumber,
    )
    .option("--reserve-hours <hours>", "duration for which the reserve must be sustained", finiteNumber, 0.5)
    .option("--out <dir>", "folder of the plan (default: plans/<name>-plan)")
    .option("--lang <language>", LANG_HELP)
    .option("--run", "run the plan, with a report in reports/<name>-plan")
    .option("--open", "with --run: open report.html in the browser")
    .option("--json", "print one JSON object")
    .option("--quiet", "no progress")
    .action(async (file, options) => (await import("./planCommand.ts")).planCommand(file, options));
  addInvestmentOptions(plan);
}

function addSettleCommand(vppsim: Command): void {
  vppsim
    .command("settle")
    .description("settle a report again by the prices and parameters of a scenario, without a new run")
    .argument("<report-dir>", "report folder of a scenario with the key settlement")
    .requiredOption("--scenario <file>", "scenario with the same awards and other prices or parameters")
    .option("--out <dir>", "write settlement.html, the tables of the settlement as CSV, and run.json there")
    .option("--lang <language>", LANG_HELP)
    .option("--json", "print one JSON object")
    .action(async (dir, options) => (await import("./settleCommand.ts")).settleCommand(dir, options));
}

function addServeCommand(vppsim: Command): void {
  const serve = vppsim
    .command("serve")
    .description("serve a scenario live: the three APIs, tokens, telemetry, and the sandbox for clock and faults")
    .argument("<scenario>", "scenario file, or folder with a scenario.yaml")
    .option("--open-at <time>", "simulate up to this instant first, so that there is a history");
  addServerOptions(serve).action(async (file, options) =>
    (await import("./serveCommand.ts")).serveCommand(file, options),
  );
}

function addPlaygroundCommand(vppsim: Command): void {
  vppsim
    .command("playground")
    .description("serve the playground on this machine: write, run and compare scenarios in the browser")
    .argument("[scenario]", "scenario to open, with the files that it names: file, or folder with a scenario.yaml")
    .option("--port <n>", "port of the page; 0: any free port", portNumber, 8090)
    .option("--open", "open the page in the browser")
    .action(async (scenario, options) => (await import("./playgroundCommand.ts")).playgroundCommand(scenario, options));
}

/** Options of the commands that serve a session. */
function addServerOptions(command: Command): Command {
  return command
    .option("--host <address>", "listen address", "127.0.0.1")
    .option("--allow-host <name>", "further name that clients may use in the Host header (repeatable)", collect)
    .option("--port <n>", "port of the APIs and the sandbox; 0: any free port", portNumber, 8080)
    .option("--auth-port <n>", "port of the token endpoint; 0: any free port", portNumber, 8081)
    .option("--site-ports <from>", "a port for each site, from this one on; 0: any free ports", portNumber)
    .option("--speed <x>", "simulated seconds per real second, 0.1 to 100000, or max (default: 1)")
    .addOption(new Option("--paused", "start with the clock paused").conflicts("speed"))
    .option("--journal <file>", "journal for crash recovery (default: .vppsim/<scenario name>.journal)")
    .option("--no-journal", "no journal")
    .addOption(new Option("--rate-limits <mode>", "rate limits of the APIs").choices(["on", "off"]).default("on"))
    .option("--report <dir>", "write the report of the session there when the server stops")
    .option("--open", "open the page of the session in the browser")
    .addOption(
      secretOption("--sandbox-token <text>", "VPPSIM_SANDBOX_TOKEN", "token required in X-Sandbox-Token").conflicts(
        "sandboxTokenFile",
      ),
    )
    .option("--sandbox-token-file <file>", "file with that token")
    .addOption(
      secretOption(
        "--instructor-token <text>",
        "VPPSIM_INSTRUCTOR_TOKEN",
        "token of the instructor; all other callers are trainees",
      ).conflicts("instructorTokenFile"),
    )
    .option("--instructor-token-file <file>", "file with that token")
    .addOption(
      secretOption("--token-secret <text>", "VPPSIM_TOKEN_SECRET", "secret for refresh tokens").conflicts(
        "tokenSecretFile",
      ),
    )
    .option("--token-secret-file <file>", "file with that secret");
}

/** Other users of the machine can see flags, but neither files nor environment variables. */
const secretOption = (flags: string, variable: string, meaning: string): Option =>
  new Option(flags, `${meaning}; mandatory, with 32 characters, if other machines can reach the server`).env(variable);

function addDrillCommands(vppsim: Command): void {
  const drill = vppsim.command("drill").description("train operators with automatically graded drills");
  const add = (name: string, description: string): Command =>
    drill
      .command(name)
      .description(description)
      .addOption(new Option("--lang <language>", "language of texts").choices(["en", "ja"]).default("en"))
      .exitOverride();
  const addGraded = (name: string, description: string): Command =>
    add(name, description)
      .option("--out <dir>", "write debriefing.html and grade.json there")
      .option(
        "--person <name>",
        "name of the trainee: compares with earlier attempts, and adds this one to the history",
      )
      .option("--history <file>", "history of attempts (default: .vppsim/drill-attempts.jsonl)")
      .option("--json", "print one JSON object");
  add("list", "list the shipped drills")
    .option("--json", "print one JSON object")
    .action(async (options) => (await import("./drillCommand.ts")).drillListCommand(options));
  add("validate", "check a drill and its scenario, and report all errors at once")
    .argument("<drill>", "drill file, or name of a shipped drill")
    .action(async (nameOrFile) => (await import("./drillCommand.ts")).drillValidateCommand(nameOrFile));
  addServerOptions(addGraded("run", "run a drill with a trainee in the browser, a program or a script, and grade it"))
    .argument("<drill>", "drill file, or name of a shipped drill")
    .argument("[program...]", "after --: a program that is the trainee, with its arguments")
    .option("--script <file>", "actions of a trainee at simulated instants (YAML); nothing is served")
    .action(async (nameOrFile, program, options, command) =>
      (await import("./drillServeCommand.ts")).drillRunCommand(nameOrFile, program, {
        ...options,
        ...(program.length > 0 ? freePorts(command) : {}),
      }),
    );
  addServerOptions(
    addGraded("serve", "serve a drill for a trainee and an instructor until it is stopped, then grade it"),
  )
    .argument("<drill>", "drill file, or name of a shipped drill")
    .action(async (nameOrFile, options) =>
      (await import("./drillServeCommand.ts")).drillServeCommand(nameOrFile, options),
    );
  addGraded("grade", "grade the export of a drill session")
    .argument("<export>", "export file, from POST /sandbox/export")
    .option("--drill <drill>", "drill file (default: the shipped drill with the name in the export)")
    .action(async (file, options) => (await import("./drillCommand.ts")).drillGradeCommand(file, options));
}

/** A program reads its addresses, so that any free port will do for one that was not given. */
const freePorts = (command: Command): Record<string, number> =>
  Object.fromEntries(
    ["port", "authPort"].filter((name) => command.getOptionValueSource(name) === "default").map((name) => [name, 0]),
  );

function addCompletionCommand(vppsim: Command): void {
  vppsim
    .command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action((shell) => {
      process.stdout.write(completionScript(shell, vppsim));
    });
}

/**
 * Standard output that cannot be written ends a command with status 1 when its work is done. A reader that left, as `head` does,
 * needs no message (docs/model/report-files.md#exit-status).
 */
function reportStreamErrors(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.stderr.write(`vppsim: standard output: ${error.message}\n`);
    process.once("exit", () => {
      process.exitCode = process.exitCode || EXIT_STATUS.failed;
    });
  });
}

/** Values of an option that may occur more than once. */
/** In the form of names in files (docs/model/scenario-format.md#names). */
const composedText = (value: string): string => value.normalize();
const collectNames = (value: string, earlier: readonly string[] = []): readonly string[] =>
  collect(composedText(value), earlier);
const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/** Parser of a number; an empty text, as of an unset variable, is none. */
const numberThat =
  (isAllowed: (value: number) => boolean, allowed: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && isAllowed(value)) return value;
    throw new InvalidArgumentError(`Found ${JSON.stringify(text)}, allowed: ${allowed}.`);
  };

const priceNumber = numberThat((value) => 0 <= value && Number.isFinite(value), "0 or more");
const lifetimeNumber = numberThat((value) => Number.isInteger(value) && 1 <= value && value <= 50, "1 to 50, whole");
const percentNumber = numberThat((value) => 0 <= value && value <= 50, "0 to 50");
const wholeNumber = numberThat(Number.isSafeInteger, "an integer");
const finiteNumber = numberThat(Number.isFinite, "a number");

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (0 <= port && port <= 65_535) return port;
  throw new InvalidArgumentError(`Found ${port}, allowed: a port from 0 to 65535.`);
}

/** Runs the command that the arguments of the process name, and sets its exit status. */
export async function runProgram(): Promise<void> {
  reportStreamErrors();
  const vppsim = program();
  let printsJson = false;
  vppsim.hook("preAction", (_program, command) => {
    printsJson = command.opts().json === true;
  });
  try {
    await vppsim.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? EXIT_STATUS.done : EXIT_STATUS.badInput;
    else if (errorCode(error) === "EMFILE") {
      // No code for a better message can be loaded.
      process.stderr.write(`vppsim: ${(error as Error).message}; allow more open files (ulimit -n 1024)\n`);
      process.exitCode = EXIT_STATUS.failed;
    } else {
      const { reportFailure, reportFailureAsJson } = await import("./reportFailure.ts");
      process.exitCode = printsJson ? reportFailureAsJson(error) : reportFailure(error);
    }
  }
}
