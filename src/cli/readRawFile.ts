import type { RawFile } from "../inputs/formats/readFormatFile.ts";
import { diskFiles } from "../inputs/scenario/disk/diskFiles.ts";
import { inputRefusal, NO_SUCH_FILE } from "../inputs/scenario/parse/inputError.ts";

/** @throws InputErrors for a file that cannot be read */
export function readRawFile(name: string): RawFile {
  const content = diskFiles.read(name);
  if (content !== null) return { name, content };
  throw inputRefusal(name, NO_SUCH_FILE, "a readable file");
}
