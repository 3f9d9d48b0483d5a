/** A scenario of the gallery. */
export interface Example {
  readonly name: string;
  readonly description: string;
  readonly entry: string;
  /** Files by path; the value is the key of the text that several examples may have. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the build packs: examples, and the texts of their files. */
export interface Gallery {
  readonly examples: readonly Example[];
  readonly texts: Readonly<Record<string, string>>;
}

export const EMPTY_GALLERY: Gallery = { examples: [], texts: {} };
