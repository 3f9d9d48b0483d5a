import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { formatNameList, type InputErrors, inputRefusal } from "../../base/inputError.ts";
import { RESULTS_FILE, STUDY_FILE } from "../../platform/files.ts";
import { FileInUseError, ForeignLockError, lockFile } from "../../platform/node/fileLock.ts";
import { realPath } from "../../platform/node/realPath.ts";
import { createFolder, ReportFolder, targetRefusal } from "../../platform/node/reportFolder.ts";
import type { StudyDigests, StudyOutput } from "../studyOutput.ts";
import { ResultStore } from "./resultStore.ts";

/**
 * Output folder of a study. Files are written into a staging folder, which replaces the report when the study is
 * finished. Until then an older report is unchanged, and the results can be resumed. One process at a time writes to a
 * target (docs/model/studies.md#one-writer).
 */
export class StudyFolder implements StudyOutput {
  readonly sink: ReportFolder;
  readonly unlisted = [RESULTS_FILE];
  readonly storedText: string;
  private readonly isResumed: boolean;
  private readonly unlock: () => void;

  /**
   * @param options  `resume`: with the results of an earlier start; `inputs`: files that the study reads
   * @throws InputErrors when the target or the staging folder must not be replaced
   * @throws FileInUseError while another process runs a study with this target
   */
  constructor(target: string, { resume, inputs }: { readonly resume: boolean; readonly inputs: Iterable<string> }) {
    const staging = `${realPath(resolve(target))}.unfinished`;
    this.sink = new ReportFolder(target, { inputs, staging });
    this.storedText = `, stored in ${staging}; --resume continues from there`;
    this.isResumed = resume;
    this.unlock = lockStaging(this.sink.target, staging);
    try {
      refuseForeignStaging(staging);
      if (!resume) rmSync(staging, { recursive: true, force: true });
      createFolder(staging);
    } catch (error) {
      this.unlock();
      throw error;
    }
  }

  /** Lets other processes write to the target. */
  close(): void {
    this.unlock();
  }

  /** @throws InputErrors when the results to resume belong to other inputs */
  openStore(digests: StudyDigests): ResultStore {
    const path = join(this.sink.staging, RESULTS_FILE);
    if (!this.isResumed) return ResultStore.create(path, digests);
    const finished = join(this.sink.target, RESULTS_FILE);
    if (!existsSync(path) && existsSync(finished)) copyFileSync(finished, path);
    return ResultStore.resume(path, digests);
  }
}

function lockStaging(target: string, staging: string): () => void {
  createFolder(dirname(staging));
  try {
    return lockFile(staging);
  } catch (error) {
    if (error instanceof ForeignLockError) throw foreignLockRefusal(`${staging}.lock`);
    if (!(error instanceof FileInUseError)) throw error;
    const found = `--out: ${error.holderText}, runs a study that writes to ${target}`;
    throw new FileInUseError(`${found}; wait for its end, or name another folder with --out`, error.holderText);
  }
}

const foreignLockRefusal = (file: string): InputErrors =>
  inputRefusal(
    file,
    "a file that is no lock of vppsim; it is not changed",
    "no file of this name: move it away, or name another folder with --out",
  );

/** Names of all files that a study writes. */
const STUDY_FILES: ReadonlySet<string> = new Set([
  RESULTS_FILE,
  STUDY_FILE,
  "summary.json",
  "best.patch.yaml",
  "best.exact.patch.yaml",
  "report.html",
  "run.json",
]);

/** The staging folder has a name that a user can give to a folder too. */
function refuseForeignStaging(staging: string): void {
  if (!existsSync(staging)) return;
  const entries = readdirSync(staging, { withFileTypes: true });
  const foreign = entries.filter((entry) => !STUDY_FILES.has(entry.name) || !entry.isFile()).map(({ name }) => name);
  if (foreign.length > 0) throw targetRefusal(staging, `a folder that contains ${formatNameList(foreign, 5)}`);
}
