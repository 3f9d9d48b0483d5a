import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { certificateText } from "../verify/certificateText.ts";
import { scenarioFileOf, verifyReport } from "../verify/verifyReport.ts";
import { alarmsOf } from "./alarmsOf.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

interface VerifyFlags {
  readonly scenario?: string;
  readonly json?: boolean;
}

/** Folder in a report with the files of its run, as the zip of the playground has it. */
const PROJECT_FOLDER = "project";

/** `vppsim verify`: runs the scenario of a report again, and compares. */
export async function verifyCommand(report: string, flags: VerifyFlags): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), "vppsim-verify-"));
  try {
    const folder = await unpacked(report, join(temporary, "report"));
    const scenario = flags.scenario ?? scenarioIn(folder, report);
    const certificate = await verifyReport(folder, scenario, { out: join(temporary, "again"), alarmsOf });
    process.stdout.write(flags.json === true ? `${JSON.stringify(certificate)}\n` : certificateText(certificate));
    if (!certificate.verified) process.exitCode = EXIT_STATUS.failed;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The folder of a report, or that into which its zip was unpacked. */
async function unpacked(report: string, to: string): Promise<string> {
  if (statSync(report, { throwIfNoEntry: false })?.isFile() !== true) return report;
  const { isZip, unpackZip } = await import("../browser/zip.ts");
  const bytes = readFileSync(report);
  if (!isZip(bytes)) throw inputRefusal(report, "a file that is no zip", "the folder or zip of a report");
  for (const [path, content] of unpackZip(report, bytes)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), content);
  }
  return to;
}

/** The scenario among the files of the run that lie in the report. */
function scenarioIn(folder: string, report: string): string {
  const name = scenarioFileOf(folder);
  const project = join(folder, PROJECT_FOLDER);
  const paths = existsSync(project) ? readdirSync(project, { recursive: true, encoding: "utf8" }) : [];
  const found = paths.filter((path) => basename(path) === name);
  if (found.length === 1) return join(project, found[0]);
  const what = found.length === 0 ? `no ${name} in its folder ${PROJECT_FOLDER}` : `${name} in ${found.length} folders`;
  throw inputRefusal(report, what, "--scenario <file>, the scenario of the report");
}
