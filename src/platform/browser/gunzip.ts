import { Gunzip, type Inflate } from "fflate";
import { joinBytes } from "../../base/bytes.ts";

const PIECE_BYTES = 1 << 16;
const TRAILER_BYTES = 8;

/** @throws as `Platform.gunzip` */
export function gunzip(packed: Uint8Array, bytesMax: number): Uint8Array {
  let furtherMembers = 0;
  const stream = new Gunzip();
  stream.onmember = () => furtherMembers++;
  const whole = unpackPieces(stream, packed, bytesMax);
  if (furtherMembers === 0) checkTrailer(packed, whole);
  return whole;
}

/** Unpacks in pieces, so that it stops at the limit. @throws RangeError at the limit, another error for what is damaged or cut */
export function unpackPieces(stream: Gunzip | Inflate, packed: Uint8Array, bytesMax: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  stream.ondata = (piece) => {
    size += piece.length;
    if (size > bytesMax) throw new RangeError(`more than ${bytesMax} bytes`);
    pieces.push(piece);
  };
  for (let at = 0; at < packed.length; at += PIECE_BYTES)
    stream.push(packed.subarray(at, at + PIECE_BYTES), packed.length <= at + PIECE_BYTES);
  return joinBytes(pieces);
}

/** The library does not compare the checksum and the length at the end (RFC 1952, section 2.3.1). */
function checkTrailer(packed: Uint8Array, whole: Uint8Array): void {
  const trailer = new DataView(packed.buffer, packed.byteOffset + packed.length - TRAILER_BYTES, TRAILER_BYTES);
  if (trailer.getUint32(0, true) !== crc32(whole) || trailer.getUint32(4, true) !== whole.length >>> 0)
    throw new Error("the checksum differs");
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 255];
  return ~crc >>> 0;
}
