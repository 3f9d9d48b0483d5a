import { basename, dirname, resolve } from "../base/paths.ts";
import { enterFolder } from "../platform/browser/paths.ts";
import { disk } from "../platform/browser/platform.ts";
import { bytesByPath, type Project } from "./project.ts";

/** Makes the folder of the entry the working directory. @returns the entry's name in it */
export function openProject({ entry, files }: Project, on = disk): string {
  enterFolder("/");
  on.fill(bytesByPath(files));
  enterFolder(dirname(resolve(entry)));
  return basename(entry);
}
