import { deflateSync, Inflate } from "fflate";
import { base64Bytes, base64Text, utf8Bytes } from "../base/bytes.ts";
import { type InputErrors, inputRefusal } from "../base/inputError.ts";
import { unpackPieces } from "../platform/browser/gunzip.ts";
import { bytesByPath, isInside, type Project } from "./project.ts";

/** A project with the values by study path that a page holds beside it. */
export interface LinkedProject extends Project {
  readonly patch?: Readonly<Record<string, number | string>>;
}

const CHARACTERS_MAX = 1_000_000;
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
const VERSION = "1";
const START = `#p=${VERSION}.`;

const refuse = (found: string, allowed: string): InputErrors => inputRefusal("link", found, allowed);
const ANOTHER_WAY = "download the zip";
const AGAIN = "the whole link, as it was copied";

/** A project as JSON. Texts keep line ends and byte order marks; files that are no UTF-8 are `{"base64": …}`. */
export function projectJson({ entry, files, patch }: LinkedProject): string {
  const contents = [...bytesByPath(files)].map(([path, bytes]) => [
    path,
    textOf(bytes) ?? { base64: base64Text(bytes) },
  ]);
  return JSON.stringify({ entry, files: Object.fromEntries(contents), patch });
}

/**
 * The fragment of a link to a project: `#p=1.` and base64url of raw deflate of its JSON.
 *
 * @throws InputErrors for a project that is too large for a link
 */
export function packLink(project: LinkedProject): string {
  const json = utf8Bytes(projectJson(project));
  if (json.length > UNPACKED_BYTES_MAX) throw refuse("a project of more than 64 MB", `at most 64 MB; ${ANOTHER_WAY}`);
  const packed = base64Text(deflateSync(json, { level: 9 }));
  const fragment = START + packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (fragment.length > CHARACTERS_MAX)
    throw refuse(`a link of ${fragment.length} characters`, `at most ${CHARACTERS_MAX}; ${ANOTHER_WAY}`);
  return fragment;
}

/**
 * @param fragment  of the address, with or without `#p=`
 * @throws InputErrors for a link of another version, a damaged or cut one, and one that unpacks to more than 64 MB
 */
export function unpackLink(fragment: string): LinkedProject {
  const [, version, packed] = /^#?(?:p=)?(\w*)\.(.*)$/s.exec(fragment) ?? [];
  if (version === undefined) throw refuse("no project", `a link that begins with ${START}`);
  if (version !== VERSION) throw refuse(`version ${version}`, `version ${VERSION}, which this vppsim reads`);
  return readProject(jsonOf(inflate(bytesOf(packed))));
}

function bytesOf(packed: string): Uint8Array {
  const at = packed.search(/[^\w-]/);
  if (at >= 0)
    throw refuse(
      `the character ${JSON.stringify(packed[at])} at ${START.length + at + 1}`,
      "letters, digits, - and _ (base64url)",
    );
  if (packed.length % 4 === 1) throw refuse("a link that was cut", AGAIN);
  return base64Bytes(packed.replaceAll("-", "+").replaceAll("_", "/"));
}

function inflate(packed: Uint8Array): Uint8Array {
  try {
    return unpackPieces(new Inflate(), packed, UNPACKED_BYTES_MAX);
  } catch (error) {
    if (error instanceof RangeError) throw refuse("more than 64 MB unpacked", "at most 64 MB");
    throw refuse("a link that was cut or damaged", AGAIN);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes) ?? "");
  } catch {
    throw refuse("a link that was cut or damaged", AGAIN);
  }
}

/** A project from its JSON, as `projectJson` writes it. @throws InputErrors */
export function readProject(json: unknown): LinkedProject {
  if (!isRecord(json)) throw refuse("no project", '{"entry": …, "files": {…}}');
  const { entry, files, patch } = json;
  if (typeof entry !== "string") throw refuse("no entry", 'the path of the scenario as "entry"');
  if (!isRecord(files)) throw refuse("no files", 'texts by path as "files"');
  const contents = Object.entries(files).map(([path, content]) => [path, contentOf(path, content)]);
  const project = { entry, files: Object.fromEntries(contents) };
  if (patch === undefined) return project;
  if (!isPatch(patch)) throw refuse("a patch without values", 'numbers or texts by study path as "patch"');
  return { ...project, patch };
}

function contentOf(path: string, content: unknown): string | Uint8Array {
  if (!isInside(path)) throw refuse(`the file ${JSON.stringify(path)}`, "relative paths within the project");
  if (typeof content === "string") return content;
  const base64 = isRecord(content) ? content.base64 : undefined;
  try {
    if (typeof base64 === "string") return base64Bytes(base64);
  } catch {
    // As any other content that is none.
  }
  throw refuse(`no content of ${JSON.stringify(path)}`, 'a text or {"base64": …}');
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPatch = (value: unknown): value is Readonly<Record<string, number | string>> =>
  isRecord(value) && Object.values(value).every((each) => typeof each === "number" || typeof each === "string");

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `null`: bytes that are no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
