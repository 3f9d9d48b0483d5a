import { packLink } from "../../browser/link.ts";
import { packZip } from "../../browser/zip.ts";
import type { Playground, PlaygroundState } from "./playground.ts";

/** The address that opens the project anywhere. @throws InputErrors for a project that is too large for a link */
export function permalink({ project, patch = {} }: PlaygroundState): string {
  const changed = Object.keys(patch).length === 0 ? {} : { patch };
  return `${location.href.replace(/#.*$/, "")}${packLink({ ...project, ...changed })}`;
}

/** Puts the link into the address bar and the clipboard. */
export async function copyLink(playground: Playground): Promise<void> {
  const state = playground.state.get();
  let link: string;
  try {
    link = permalink(state);
  } catch {
    return playground.notify({ key: "playground.link_too_long" });
  }
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    playground.notify({ key: "playground.link_copied" });
  } catch {
    playground.notify({ key: "playground.link_in_address" });
  }
}

/** The report with the files of its run below `project/`; without a run of the project as it is, these alone. */
export function zipOf({ project, ran, result }: PlaygroundState): Uint8Array {
  const report = result !== null && ran === project ? result.files : {};
  const inputs = Object.entries(project.files).map(([path, bytes]) => [`project/${path}`, bytes]);
  return packZip({ ...report, ...Object.fromEntries(inputs) });
}

/** Offers a file to be saved. */
export function download(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
