import { utf8Text } from "./bytes.ts";

type Json = Readonly<Record<string, unknown>>;

/** Digests of the files of a report by name, as its run.json has them; `null` where that is not of vppsim. */
export function listedDigests(runJson: Uint8Array): Json | null {
  try {
    const { version, files } = (JSON.parse(utf8Text(runJson)) ?? {}) as Json;
    return typeof version === "string" && typeof files === "object" ? (files as Json | null) : null;
  } catch {
    return null;
  }
}
