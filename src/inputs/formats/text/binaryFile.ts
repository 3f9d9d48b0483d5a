import { startsWith, utf8Bytes } from "../../../base/bytes.ts";

interface BinaryFile {
  readonly what: string;
  readonly allowed: string;
}

/** Files that are no text, by their first bytes. */
const SIGNATURES: readonly (BinaryFile & { readonly bytes: Uint8Array })[] = [
  {
    bytes: utf8Bytes("PK\u0003\u0004"),
    what: "a ZIP archive or an .xlsx workbook",
    allowed: "the files inside it, unpacked; a workbook saved as CSV",
  },
  { bytes: Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), what: "an .xls workbook", allowed: "the workbook saved as CSV" },
  { bytes: utf8Bytes("%PDF"), what: "a PDF document", allowed: "the data as CSV, XML or JSON" },
];

/** What a file that cannot be text is, and what to give in its place. */
export const binaryFile = (content: Uint8Array): BinaryFile | undefined =>
  SIGNATURES.find(({ bytes }) => startsWith(content, bytes));

const IMAGES = [
  Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  Uint8Array.of(0xff, 0xd8, 0xff),
  utf8Bytes("GIF8"),
  utf8Bytes("RIFF"),
];

/** The same of pictures, in which a reader of texts finds zero bytes. */
export const pictureFile = (content: Uint8Array): BinaryFile | undefined =>
  IMAGES.some((start) => startsWith(content, start))
    ? { what: "an image", allowed: "the data as CSV, XML or JSON" }
    : undefined;
