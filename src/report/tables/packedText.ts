/** A text in words of four bytes, which are copied faster than single bytes. The last word is padded. */
export interface PackedText {
  readonly words: Uint32Array;
  /** In bytes. */
  length: number;
}

/** Most bytes that a copy writes behind a text. */
export const PADDING_BYTES_MAX = 3;

export function packText(text: string): PackedText {
  const bytes = Buffer.from(text);
  const packed = { words: new Uint32Array(Math.ceil(bytes.length / 4)), length: bytes.length };
  packBytes(bytes, packed);
  return packed;
}

/** Replaces a text by bytes that are no longer than its words. */
export function packBytes(bytes: Buffer, packed: PackedText): void {
  const padded = Buffer.alloc(4 * packed.words.length);
  bytes.copy(padded);
  for (let k = 0; k < packed.words.length; k++) packed.words[k] = padded.readUInt32BE(4 * k);
  packed.length = bytes.length;
}

/** Copies whole words, with the padding of the last one. @returns the position after the text */
export function copyPacked({ words, length }: PackedText, view: DataView, at: number): number {
  for (let k = 0, to = at; 4 * k < length; k++, to += 4) view.setUint32(to, words[k]);
  return at + length;
}

/** Copies bytes of a buffer to a later place in whole words. @returns the position after them */
export function copyBytes(view: DataView, start: number, end: number, at: number): number {
  for (let from = start, to = at; from < end; from += 4, to += 4) view.setUint32(to, view.getUint32(from));
  return at + end - start;
}
