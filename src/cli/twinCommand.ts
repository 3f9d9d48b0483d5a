import { type Command, Option } from "commander";

/** `vppsim twin`: each command of it imports its code when it is called. */
export function addTwinCommands(vppsim: Command): void {
  const twin = vppsim.command("twin").description("make a scenario of a real VPP, calibrate it and prove it");
  for (const add of TWIN_COMMANDS) add(twin).exitOverride();
}

const TWIN_COMMANDS: readonly ((twin: Command) => Command)[] = [addImport];

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
