import { BugError } from "../base/assert.ts";
import { errorCountText, InputErrors } from "../base/inputError.ts";
import { missingDataHint } from "../inputs/datagen/disk/exampleFiles.ts";
import { JournalError } from "../live/session/journal/journalRecord.ts";
import { MarketError } from "../market/settlement.ts";
import { TableWriteError } from "../platform/files.ts";
import { FileInUseError } from "../platform/node/fileLock.ts";
import { RunStopped } from "../report/runStopped.ts";
import { QueueError } from "../study/node/queue/queueNames.ts";
import { VERSION } from "../version.ts";
import { colourErrors } from "./colourText.ts";
import { EXIT_STATUS } from "./exitStatus.ts";
import { failureJson } from "./failureJson.ts";

/** Prints the error as JSON to standard output. @returns the exit status */
export function reportFailureAsJson(error: unknown): number {
  process.stdout.write(`${JSON.stringify(failureJson(error))}\n`);
  return error instanceof InputErrors ? EXIT_STATUS.badInput : EXIT_STATUS.failed;
}

/** Errors whose message is printed without a stack. */
const WORDED_ERRORS = [MarketError, RunStopped, TableWriteError, FileInUseError, QueueError];

/** Prints the error to standard error. @returns the exit status */
export function reportFailure(error: unknown): number {
  if (error instanceof InputErrors) {
    const hint = missingDataHint(error.errors);
    printError(`${error.message}\n${errorCountText(error)}; nothing was run\n`);
    if (hint !== null) printError(`${hint}\n`);
    return EXIT_STATUS.badInput;
  }
  if (error instanceof JournalError) {
    printError(`vppsim: ${error.message}\n`);
    return error.reason === "input" ? EXIT_STATUS.badInput : EXIT_STATUS.failed;
  }
  if (WORDED_ERRORS.some((type) => error instanceof type)) printError(`vppsim: ${(error as Error).message}\n`);
  else if (error instanceof BugError)
    printError(`vppsim ${VERSION}: internal error (please report it): ${error.message}\n${error.stack}\n`);
  else if (isSystemError(error)) {
    const denied = "permission" in error && error.permission !== "" ? `: ${error.permission}` : "";
    printError(`vppsim: ${error.message}${denied}\n`);
  } else printError(`vppsim ${VERSION}: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT_STATUS.failed;
}

const printError = (text: string): void => void process.stderr.write(colourErrors(text));

/** Errors of the operating system, such as a full disk or a missing permission: the message names file and reason. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && ("syscall" in error || error.code === "ERR_ACCESS_DENIED");
}
