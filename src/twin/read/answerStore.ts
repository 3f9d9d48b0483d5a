import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sha256Hex } from "../../base/ids.ts";
import { inputRefusal } from "../../base/inputError.ts";

/** What the answers of a folder belong to: an import with other values cannot continue it. */
interface StoreSubject {
  readonly vpp_id: string;
  readonly base_url: string;
  /** Of the flags; `null`: by default. */
  readonly from: string | null;
  readonly to: string | null;
}

interface IndexLine {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly sha256: string;
}

/**
 * The answers of a VPP on disk: `answers/<key>.json.gz`, each written whole, with a line in `answers/index.jsonl`. An answer is
 * identified by the SHA-256 of method, path and body of its request (docs/model/twin.md#resume).
 */
export class AnswerStore {
  private readonly folder: string;
  private readonly subject: StoreSubject;
  private readonly digests = new Map<string, string>();
  private hasHead = false;

  /** Nothing is written before the first answer. @throws InputErrors if the folder has answers of another import */
  constructor(out: string, subject: StoreSubject) {
    this.folder = join(out, "answers");
    this.subject = subject;
    if (existsSync(this.indexFile)) this.readIndex();
  }

  /** Number of answers. */
  get size(): number {
    return this.digests.size;
  }

  /** `undefined`: not read yet, or damaged. */
  find(method: string, path: string, body: string): unknown {
    const key = keyOf(method, path, body);
    const digest = this.digests.get(key);
    if (digest === undefined) return undefined;
    try {
      const text = gunzipSync(readFileSync(this.fileOf(key))).toString("utf8");
      if (sha256Hex(text) === digest) return JSON.parse(text);
    } catch {
      // Read again below.
    }
    this.digests.delete(key);
    return undefined;
  }

  put(request: { readonly method: string; readonly path: string; readonly body: string }, answer: unknown): void {
    const { method, path, body } = request;
    const key = keyOf(method, path, body);
    const text = JSON.stringify(answer);
    mkdirSync(this.folder, { recursive: true });
    writeStaged(this.fileOf(key), gzipSync(text));
    if (!this.hasHead) appendFileSync(this.indexFile, `${JSON.stringify(this.subject)}\n`);
    this.hasHead = true;
    const line: IndexLine = { key, method, path, sha256: sha256Hex(text) };
    appendFileSync(this.indexFile, `${JSON.stringify(line)}\n`);
    this.digests.set(key, line.sha256);
  }

  /** Writes the index in order of the keys, so that the same answers give the same bytes. */
  finish(): void {
    const [head, ...lines] = this.indexLines();
    const last = new Map(lines.map((line) => [String(JSON.parse(line).key), line]));
    const sorted = [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
    writeStaged(this.indexFile, `${[head, ...sorted].join("\n")}\n`);
  }

  private get indexFile(): string {
    return join(this.folder, "index.jsonl");
  }

  private fileOf(key: string): string {
    return join(this.folder, `${key}.json.gz`);
  }

  private indexLines(): string[] {
    // A killed process leaves a last line that does not end.
    return readFileSync(this.indexFile, "utf8").split("\n").slice(0, -1).filter(isJson);
  }

  private readIndex(): void {
    const [head, ...lines] = this.indexLines();
    if (head === undefined) return;
    const found = JSON.parse(head) as StoreSubject;
    for (const key of ["vpp_id", "base_url", "from", "to"] as const)
      if (found[key] !== this.subject[key])
        throw inputRefusal(
          this.folder,
          `answers of another import (${key} ${found[key] ?? "by default"}, not ${this.subject[key] ?? "by default"})`,
          "the command that began it, or another --out",
        );
    this.hasHead = true;
    for (const line of lines) {
      const { key, sha256 } = JSON.parse(line) as IndexLine;
      this.digests.set(key, sha256);
    }
  }
}

const keyOf = (method: string, path: string, body: string): string => sha256Hex(`${method} ${path}\n${body}`);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Writes a file whole, or not at all. */
export function writeStaged(file: string, content: string | Uint8Array): void {
  const staged = `${file}.partial`;
  writeFileSync(staged, content);
  renameSync(staged, file);
}
