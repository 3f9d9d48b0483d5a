// What tidy.test.ts asks of a source file, as functions from text to complaints, so that they can be shown to complain.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPONENT_KINDS } from "../src/engine/site/components/registry.ts";

export const PROJECT_ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A room imports only from rooms before it (ARCHITECTURE.md: the folder list is the architecture). */
export const ROOM_ORDER: readonly string[] = [
  "platform",
  "base",
  "platform/node",
  "platform/browser",
  "texts",
  "engine/kernel",
  "engine/series",
  "inputs/formats",
  "engine/device",
  "engine/site",
  "engine/vpp",
  "engine/simulation",
  "accounting",
  "market",
  "api/endpoints",
  "inputs/scenario",
  "report",
  "market/plan",
  "study",
  "live/session",
  "live/drill",
  "verify",
  "study/node",
  "browser",
  "inputs/datagen",
  "api/http",
  "api/client",
  "twin/read",
  "twin",
  "dashboard",
  "playground",
  "cli",
];

/** Rooms with fewer sources than the order allows: a browser has what a client of the APIs has, and the data in a report. */
const ONLY_SOURCES: Readonly<Record<string, readonly string[]>> = {
  "twin/read": ["base", "api/client", "twin/read", "src/platform/node/writeStaged.ts"],
  dashboard: ["texts", "api/client", "dashboard", "src/report/html/charts/chartJson.ts"],
  playground: [
    "base",
    "texts",
    "browser",
    "playground",
    "src/inputs/formats/text/binaryFile.ts",
    "src/platform/browser/paths.ts",
    "src/report/runStopped.ts",
    "src/dashboard/app/icons.tsx",
    "src/dashboard/app/preferences.tsx",
    "src/dashboard/app/theme.ts",
    "src/dashboard/app/useShortcut.ts",
    "src/dashboard/data/observable.ts",
    "src/dashboard/format/numbers.ts",
    "src/dashboard/library.css",
    "src/dashboard/parts/Cause.tsx",
    "src/dashboard/parts/Dialog.tsx",
  ],
};

/** Rooms that are started, not imported. */
const NOT_IMPORTED = ["dashboard", "playground"];

export const sourcesUnder = (folder: string): SourceFile[] => filesUnder(folder, /\.(ts|tsx|mts)$/);

/** Files below a folder of the project whose name matches a pattern, in order of their paths. */
export function filesUnder(folder: string, pattern: RegExp): SourceFile[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return { path: relative(PROJECT_ROOT, full).replaceAll("\\", "/"), text: readFileSync(full, "utf8") };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What `#platform` is for Node; any room imports it by that name. */
const PLATFORM = "src/platform/node/platform.ts";

const besides = (path: string, specifier: string): string =>
  posix.normalize(posix.join(posix.dirname(path), specifier));

/** Every file of the project that a source names: imports, exports from, dynamic imports, `new URL` for workers. */
export function importsOf({ path, text }: SourceFile): { readonly target: string; readonly line: number }[] {
  const pattern =
    /["'](#platform)["']|(?:from\s+|import\s+|import\(\s*|new URL\(\s*)["'](\.{1,2}\/[^"']+)["']|openThread\("([^"]+)"/g;
  return [...text.matchAll(pattern)].map((match) => ({
    target: match[1] ? PLATFORM : match[3] ? `src/${match[3]}.ts` : besides(path, match[2]),
    line: lineAt(text, match.index),
  }));
}

/** Files and packages that are loaded with a file: what static imports reach that import more than types. */
export function loadedWith(path: string, sources: readonly SourceFile[]): ReadonlySet<string> {
  const textOf = new Map(sources.map((source) => [source.path, source.text]));
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, target] of (textOf.get(file) ?? "").matchAll(STATIC_IMPORT))
      visit(target === "#platform" ? PLATFORM : target.startsWith(".") ? besides(file, target) : target);
  };
  visit(path);
  return loaded;
}

const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[^;"]* from )?"([^"]+)"/gm;

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

/** The room of a file: its folder under src, or the folder and one of its rooms. A file at the root of src is its own. */
function roomOf(path: string): string {
  const [, folder, inner] = path.split("/");
  return ROOM_ORDER.includes(`${folder}/${inner}`) ? `${folder}/${inner}` : folder;
}

/** The place in the order; of files at the root of src, the index may use anything, others are as basic as base. */
function rankOf(path: string): number {
  const room = roomOf(path);
  if (room === "index.ts") return ROOM_ORDER.length;
  return room.endsWith(".ts") ? 0 : ROOM_ORDER.indexOf(room);
}

export function importOrderViolations(source: SourceFile): string[] {
  const own = rankOf(source.path);
  if (own < 0) return [`${source.path}: its folder is not in the list of rooms`];
  if (own === ROOM_ORDER.length) return [];
  const room = roomOf(source.path);
  const sources = ONLY_SOURCES[room] ?? ROOM_ORDER.slice(0, own + 1);
  const allowed = sources.filter((name) => name === room || !NOT_IMPORTED.includes(name));
  return importsOf(source)
    .filter(({ target }) => target.startsWith("src/") && target !== PLATFORM && !mayImport(allowed, target))
    .map(({ target, line }) => `${source.path}:${line} imports ${target}: ${allowed.join(", ")} may`);
}

/** Files at the root of src are as basic as base. */
const mayImport = (allowed: readonly string[], target: string): boolean =>
  allowed.includes(roomOf(target)) || allowed.includes(target) || (rankOf(target) === 0 && allowed.includes("base"));

/** What runs in a browser too. It takes what it needs of its host from `#platform`. */
const NODE_FREE =
  /^src\/(?!platform\/node\/|study\/node\/|live\/|api\/(http|client)\/|twin\/|inputs\/datagen\/|cli\/|index\.ts)/;

export const nodeImports = ({ path, text }: SourceFile): string[] =>
  NODE_FREE.test(path)
    ? [...text.matchAll(/["'](node:\w+|[./]+\/platform\/node\/\w+)|\b(Buffer|process)\./g)].map(
        ([, name, global]) => `${path} imports ${name ?? global}`,
      )
    : [];

/** The files that import each other in circles, types too: each circle once, as the way round it. */
export function importCycles(sources: readonly SourceFile[]): string[] {
  const targetsOf = new Map(sources.map((source) => [source.path, importsOf(source).map(({ target }) => target)]));
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const since = way.indexOf(path);
    if (since >= 0) found.push([...way.slice(since), path].join(" -> "));
    if (since >= 0 || done.has(path)) return;
    for (const target of targetsOf.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}

const BANNED_USES: readonly { readonly found: RegExp; readonly instead: string }[] = [
  { found: /\bDate\.now\b/, instead: "the world's nowMs" },
  { found: /\bnew Date\(\s*\)/, instead: "the world's nowMs" },
  { found: /\bDateTime\.(now|local|utc)\(\s*\)/, instead: "the world's nowMs" },
  { found: /\bperformance\.now\b/, instead: "the world's nowMs" },
  { found: /\bprocess\.hrtime\b/, instead: "the world's nowMs" },
  { found: /\bMath\.random\b/, instead: "a named stream of kernel/randomStreams.ts" },
  { found: /\brandomUUID\b/, instead: "hexId of base/ids.ts" },
  { found: /\bset(Timeout|Interval)\b/, instead: "an event of the kernel" },
  { found: /\bprocess\.env\b/, instead: "an option" },
  { found: /\btoLocale\w+\b/, instead: "String, toFixed or isoUtc" },
  { found: /\blocaleCompare\b/, instead: "< with a unique key" },
  { found: /\bIntl\./, instead: "luxon in scenario or report" },
];

/** Where wall clocks, chance and a person's locale are the business. */
const EXEMPT_FOLDERS = ["src/live/session/", "src/cli/", "src/dashboard/", "src/playground/"];

/** `// not simulated: <reason>` on the line or above it excuses. */
export function bannedUses({ path, text }: SourceFile): string[] {
  if (EXEMPT_FOLDERS.some((folder) => path.startsWith(folder))) return [];
  const lines = text.split("\n");
  return lines.flatMap((line, k) => {
    if (isExcused(line) || (k > 0 && isExcused(lines[k - 1]))) return [];
    const code = withoutComment(line);
    return BANNED_USES.filter(({ found }) => found.test(code)).map(
      ({ found, instead }) =>
        `${path}:${k + 1} uses ${found.exec(code)?.[0]}: take ${instead}, or say "// not simulated: <reason>"`,
    );
  });
}

const isExcused = (line: string): boolean => /\/\/ not simulated: \S/.test(line);
const withoutComment = (line: string): string => (/^\s*(\/?\*|\/\/)/.test(line) ? "" : line.replace(/\s\/\/ .*$/, ""));

/** What ECMAScript leaves to the engine: the last bits differ between browsers, and between versions of Node. */
const ENGINE_MATH =
  /\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|exp|expm1|log|log1p|log10|log2|cbrt|pow|hypot)\b|[\w)\]]\s*\*\*=?(?!\s*2(?![\w.]))/;

/** Rooms whose figures are in no report: what waits before it asks again, and a page. */
const ENGINE_MATH_ROOMS = ["src/api/client/", "src/dashboard/", "src/playground/"];

export function engineMath({ path, text }: SourceFile): string[] {
  if (ENGINE_MATH_ROOMS.some((folder) => path.startsWith(folder))) return [];
  return text.split("\n").flatMap((line, k) => {
    const found = ENGINE_MATH.exec(withoutComment(line))?.[0];
    if (found === undefined) return [];
    const [used, instead] = found.startsWith("Math.")
      ? [found, found.slice(5)]
      : ["** with an exponent other than 2", "pow"];
    return [`${path}:${k + 1} uses ${used}: take ${instead} of src/base/elementary.ts`];
  });
}

/** Blanks before something else, in an expression that may begin anywhere: quadratic in a long row of blanks. */
const BLANKS_ANYWHERE =
  /(?:[(,=:[!&|?]|\breturn)\s*\/(?![\^*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\[\n])*?(?:\\s| )[*+](?!\/)/;

export const blankScans = ({ path, text }: SourceFile): string[] =>
  text.split("\n").flatMap((line, k) => {
    const found = BLANKS_ANYWHERE.exec(withoutComment(line))?.[0];
    return found === undefined ? [] : [`${path}:${k + 1} has ${found}…: trim, or begin with ^`];
  });

const MARKUP = /\b(inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdangerouslySet\w+|\bdocument\.write\b|\bDOMParser\b/;

/** Names and texts of projects come from anywhere: the page of the playground shows them as text. */
export const markupUses = ({ path, text }: SourceFile): string[] =>
  text.split("\n").flatMap((line, k) => {
    const found = path.startsWith("src/playground/") ? MARKUP.exec(withoutComment(line))?.[0] : undefined;
    return found === undefined ? [] : [`${path}:${k + 1} uses ${found}: take textContent`];
  });

const LUXON_FOLDERS = ["src/inputs/formats/", "src/inputs/scenario/", "src/api/http/", "src/report/", "src/cli/"];

export function misplacedLuxonImports({ path, text }: SourceFile): string[] {
  if (!/from "luxon"/.test(text) || LUXON_FOLDERS.some((folder) => path.startsWith(folder))) return [];
  return [`${path} imports luxon: only ${LUXON_FOLDERS.join(", ")} may; inside, time is whole epoch milliseconds`];
}

export const LINES_MAX = 500;

export function formattingViolations({ path, text }: SourceFile): string[] {
  const lines = text.split("\n");
  const found =
    lines.length > LINES_MAX ? [`${path} has ${lines.length} lines, at most ${LINES_MAX} without a reason`] : [];
  lines.forEach((line, k) => {
    if (/\bFIX[M]E\b/.test(line)) found.push(`${path}:${k + 1} has an open end`);
    if (/(?::|<|,|\||&|=>|\bas)\s*any\b(?!\s+\w)/.test(withoutComment(line)))
      found.push(`${path}:${k + 1} has a type any`);
  });
  return found;
}

/** Members are `private` throughout: a copy of a run would lack what stands in a `#private` field. */
export const privateFieldUses = ({ path, text }: SourceFile): string[] =>
  text.split("\n").flatMap((line, k) => (HIDDEN_MEMBER.test(line) ? [`${path}:${k + 1}: private, not #`] : []));

const HIDDEN_MEMBER = /\bthis\.#\w|^\s*(?:(?:static|readonly|async|get|set)\s+)*#\w+\s*[(=:;<]/;

/** Names of component kinds, of generator kinds and of what the APIs call a site of several components. */
/** Names of kinds on the wire and in scenarios beside those of the registry. */
const WIRE_KINDS = ["multi_component", "pv", "wind", "thermal", "pumped_storage", "biomass", "hydro"];

const KIND_NAMES = [...Object.keys(COMPONENT_KINDS), ...WIRE_KINDS].join("|");

const KIND_TESTS: readonly RegExp[] = [
  new RegExp(`[=!]==?\\s*"(${KIND_NAMES})"`),
  new RegExp(`"(${KIND_NAMES})"\\s*[=!]==?`),
  new RegExp(`\\bcase "(${KIND_NAMES})":`),
  new RegExp(`\\.(has|includes)\\("(${KIND_NAMES})"\\)`),
  /"\w+" in (component|spec|part|unit|resource)\b/,
  /\binstanceof \w+Component\b/,
];

/** Kinds are registered: a layer that needs to tell components apart needs a facet or a capability instead. */
export function kindTests({ path, text }: SourceFile): string[] {
  if (path.startsWith("src/engine/site/components/")) return [];
  return text.split("\n").flatMap((line, k) => {
    const code = withoutComment(line);
    return KIND_TESTS.some((found) => found.test(code))
      ? [`${path}:${k + 1} tests for a kind: take a facet of kindOf(…) or a capability of the resource: ${code.trim()}`]
      : [];
  });
}

/** Only the registry and the kinds themselves know the files of a kind: others use the interfaces of roles and facets. */
export const kindImports = (source: SourceFile): string[] =>
  source.path.startsWith("src/engine/site/components/")
    ? []
    : importsOf(source)
        .filter(({ target }) => /^src\/engine\/site\/components\/\w+\//.test(target))
        .map(
          ({ target, line }) => `${source.path}:${line} imports ${target}: take an interface of parts.ts or a facet`,
        );

/** Words of former versions that the field does not use, with the words that it does. */
const FORMER_WORDS: readonly { readonly found: RegExp; readonly instead: string }[] = [
  { found: /\b((?<!\ba year cannot be )told|telling)\b/i, instead: "dispatched, sent or reported" },
  { found: /\b(lack(s|ing)|mostLacking)\b/i, instead: "shortfall, shortfallCause or topContributors" },
  { found: /\b(shared|shares) anew\b/i, instead: "re-allocated or re-dispatched" },
  { found: /\bfortunes?\b|\bluck\b/i, instead: "random draw, seed" },
  { found: /\bhostile\b/i, instead: "malicious or malformed" },
  { found: /\b(plays|played|playing)\b/i, instead: "runs, executes" },
  { found: /\bbinds\b/i, instead: "limits, limiting factor" },
  { found: /\bin good order\b/i, instead: "in order" },
  { found: /\b(width(Kw|Capability)|fcrWidth)\b/i, instead: "fcrCapacityKw, fcrCapability" },
  {
    found: /\b(laws?(Hold|Log|Walk)|PieceSum|partLeaves|HeldOrders|SiteMoment|OrderDesk)/,
    instead: "docs/glossary.md",
  },
];

export function formerWords({ path, text }: SourceFile): string[] {
  return text
    .split("\n")
    .flatMap((line, k) =>
      FORMER_WORDS.filter(({ found }) => found.test(line)).map(
        ({ found, instead }) => `${path}:${k + 1} says ${found.exec(line)?.[0]}: say ${instead}`,
      ),
    );
}

/** Names that a source exports although no other file names them; `uses` are the sources of the project and its tests. */
export function unusedExports(sources: readonly SourceFile[], uses: readonly SourceFile[]): string[] {
  const countByWord = new Map<string, number>();
  for (const { text } of uses)
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g) ?? []))
      countByWord.set(word, (countByWord.get(word) ?? 0) + 1);
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED_NAME)]
      .filter(([, name]) => countByWord.get(name) === 1)
      .map(([, name]) => `${path} exports ${name}, which no other file names`),
  );
}

const EXPORTED_NAME =
  /^export (?:async |abstract |declare )*(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;
