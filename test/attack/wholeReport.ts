import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Checks each file of a report against the digest in its run.json. */
export function checkWhole(folder: string): {
  readonly kind: "study" | "run";
  readonly digests: Record<string, string>;
} {
  const { files } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as {
    readonly files: Record<string, string>;
  };
  const names = readdirSync(folder).filter((name) => name !== "run.json");
  expect(names.sort()).toEqual(Object.keys(files).sort());
  for (const name of names)
    expect(
      `sha256:${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}`,
      name,
    ).toBe(files[name]);
  return { kind: names.includes("candidates.csv") ? "study" : "run", digests: files };
}
