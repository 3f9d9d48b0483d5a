import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Name, version and licence of each package in the bundle. */
export function notice(moduleIds) {
  const folders = new Set(
    moduleIds.flatMap((id) => /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  );
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    // Some packages have no file of their licence, only its name.
    const text =
      file === undefined
        ? `Copyright ${author?.name ?? author ?? name}`
        : readFileSync(join(folder, file), "utf8").trim();
    return `## ${name} ${version} (${license})\n\n${text}\n`;
  });
  return `# Licences of the packages in the bundle\n\n${parts.join("\n")}`;
}
