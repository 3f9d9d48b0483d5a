import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sha256Hex } from "../../base/ids.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { writeStaged } from "../../platform/node/writeStaged.ts";

/** What the answers of a folder belong to: an import with other values cannot continue it. */
interface StoreSubject {
  readonly vpp_id: string;
  readonly base_url: string;
  /** Of the flags; `null`: by default. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A request as it identifies its answer. @property body  empty: none */
export interface StoredRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface IndexLine extends Omit<StoredRequest, "body"> {
  readonly key: string;
  readonly sha256: string;
}

/**
 * The answers of a VPP on disk: `answers/<key>.json.gz`, each written whole, with a line in `answers/index.jsonl`. The key is the
 * SHA-256 of method, path and body (docs/model/twin.md#resume).
 */
export class AnswerStore {
  private readonly folder: string;
  private readonly indexFile: string;
  private readonly subject: StoreSubject;
  private readonly lines = new Map<string, IndexLine>();

  /** Nothing is written before the first answer. @throws InputErrors if the folder has answers of another import */
  constructor(out: string, subject: StoreSubject) {
    this.folder = join(out, "answers");
    this.indexFile = join(this.folder, "index.jsonl");
    this.subject = subject;
    if (existsSync(this.indexFile)) this.readIndex();
  }

  /** Number of answers. */
  get size(): number {
    return this.lines.size;
  }

  /** `undefined`: not read yet, or damaged. */
  find(request: StoredRequest): unknown {
    const line = this.lines.get(keyOf(request));
    if (line === undefined) return undefined;
    try {
      const text = gunzipSync(readFileSync(this.fileOf(line.key))).toString("utf8");
      return sha256Hex(text) === line.sha256 ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  }

  put(request: StoredRequest, answer: unknown): void {
    const { method, path } = request;
    const text = JSON.stringify(answer);
    const line = { key: keyOf(request), method, path, sha256: sha256Hex(text) };
    mkdirSync(this.folder, { recursive: true });
    writeStaged(this.fileOf(line.key), gzipSync(text));
    if (this.size === 0) this.writeIndex();
    appendFileSync(this.indexFile, `${JSON.stringify(line)}\n`);
    this.lines.set(line.key, line);
  }

  /** Writes the index in order of the keys, so that the same answers give the same bytes. */
  writeIndex(): void {
    const lines = [...this.lines.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    writeStaged(this.indexFile, [this.subject, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  private fileOf(key: string): string {
    return join(this.folder, `${key}.json.gz`);
  }

  private readIndex(): void {
    const [head, ...lines] = readFileSync(this.indexFile, "utf8").split("\n").flatMap(parsedLine);
    if (head === undefined) return;
    for (const key of ["vpp_id", "base_url", "from", "to"] as const)
      if (head[key] !== this.subject[key])
        throw inputRefusal(
          this.folder,
          `answers of another import (${key} ${head[key] ?? "by default"}, not ${this.subject[key] ?? "by default"})`,
          "the command that began it, or another --out",
        );
    for (const line of lines) this.lines.set(line.key, line);
    this.writeIndex();
  }
}

const keyOf = ({ method, path, body }: StoredRequest): string => sha256Hex(`${method} ${path}\n${body}`);

/** None for the end of a line that a killed process did not write whole. */
function parsedLine(text: string): (StoreSubject & IndexLine)[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
