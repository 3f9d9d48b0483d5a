import { BugError } from "../base/assert.ts";
import { RunStopped } from "../report/runStopped.ts";
import { TableWriteError } from "../report/tables/tableFile.ts";
import { InputErrors } from "../scenario/parse/inputError.ts";
import { JournalError } from "../session/journal/journalError.ts";
import { VERSION } from "../version.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

/** Prints the error to standard error. @returns the exit status */
export function reportFailure(error: unknown): number {
  if (error instanceof InputErrors) {
    const count = error.errors.length;
    process.stderr.write(`${error.message}\n${count} ${count === 1 ? "error" : "errors"}; nothing was run\n`);
    return EXIT_STATUS.badInput;
  }
  if (error instanceof JournalError) {
    process.stderr.write(`vppsim: ${error.message}\n`);
    return error.reason === "input" ? EXIT_STATUS.badInput : EXIT_STATUS.failed;
  }
  if (error instanceof RunStopped || error instanceof TableWriteError)
    process.stderr.write(`vppsim: ${error.message}\n`);
  else if (error instanceof BugError)
    process.stderr.write(`vppsim ${VERSION}: internal error (please report it): ${error.message}\n${error.stack}\n`);
  else if (isSystemError(error)) process.stderr.write(`vppsim: ${error.message}\n`);
  else process.stderr.write(`vppsim ${VERSION}: ${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT_STATUS.failed;
}

/** Full disk, missing permission and the like: the message names file and reason. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
