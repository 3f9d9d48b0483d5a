import { createSHA256, type IHasher } from "hash-wasm";
import { utf8Bytes } from "../../base/bytes.ts";
import type { Sha256 } from "../platform.ts";

/** One for all digests: each takes it over with its own state. */
let hasher: IHasher;

/** Done when digests can be computed. A worker whose modules wait at their top level would miss its first messages. */
export const sha256Loaded: Promise<void> = createSHA256().then((loaded) => {
  hasher = loaded;
});

let owner: HashState | null = null;

class HashState implements Sha256 {
  /** Of what was hashed so far; `null`: nothing. */
  private saved: Uint8Array | null = null;

  update(content: string | Uint8Array): void {
    this.takeHasher();
    hasher.update(typeof content === "string" ? utf8Bytes(content) : content);
  }

  digest(): Uint8Array {
    this.takeHasher();
    owner = null;
    return hasher.digest("binary");
  }

  private takeHasher(): void {
    if (owner === this) return;
    if (owner !== null) owner.saved = hasher.save();
    owner = this;
    if (this.saved === null) hasher.init();
    else hasher.load(this.saved);
  }
}

export const createSha256 = (): Sha256 => new HashState();
