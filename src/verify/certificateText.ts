import type { Certificate, FileCheck } from "./verifyReport.ts";

const HASH_CHARS = 8;
const DIGEST_CHARS = 19;

/** "Verified: 17 files, from scenario d695857e…, by vppsim 0.1.0 on Chromium 156.", or what differs, a line each. */
export function certificateText(certificate: Certificate): string {
  const { verified, version, engine, scenario_hash: hash, files, inputs } = certificate;
  const from = `from scenario ${hash.slice(0, HASH_CHARS)}…, by vppsim ${version} on ${engine}.`;
  const otherVersion = otherVersionText(certificate);
  if (verified) return [`Verified: ${files.length} files, ${from}`, ...otherVersion, ""].join("\n");
  const changed = files.filter(({ same }) => !same);
  return [
    `Differs: ${changed.length} of ${files.length} files, ${from}`,
    ...inputs.filter(({ same }) => !same).map(({ file }) => `  ${file}: an input with another content than in the run`),
    ...changed.map(fileText),
    ...otherVersion,
    ...otherEngineText(certificate),
    "",
  ].join("\n");
}

function fileText({ file, reported, found }: FileCheck): string {
  const cut = (digest: string): string => `${digest.slice(0, DIGEST_CHARS)}…`;
  return `  ${file}: ${found === null ? "missing" : cut(found)}, where ${cut(reported)} is reported`;
}

const otherVersionText = ({ version, reported_version: reported }: Certificate): string[] =>
  version === reported ? [] : [`The report is of vppsim ${reported}; this is ${version}.`];

/** Rules of time zones come from the engine; nothing else of a run does. */
function otherEngineText({ inputs, timezone, engine, reported_engine: reported }: Certificate): string[] {
  if (engine === reported || inputs.some(({ same }) => !same)) return [];
  return [`The report is of ${reported}: its rules of ${timezone} may differ from those of ${engine}.`];
}
