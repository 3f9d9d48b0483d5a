const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const utf8Bytes = (text: string): Uint8Array => encoder.encode(text);

/** Writes a text as UTF-8 into a part of bytes that has room for it. @returns the number of bytes */
export const writeUtf8 = (bytes: Uint8Array, at: number, text: string): number =>
  encoder.encodeInto(text, at === 0 ? bytes : bytes.subarray(at)).written;

/** The text of UTF-8, with its byte order mark. Bytes that are no UTF-8 become U+FFFD. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes);

/** One character for each byte. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export const hexText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const base64Text = (bytes: Uint8Array): string => btoa(latin1Text(bytes));

/** @throws an error for a text that is no base64 */
export const base64Bytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  start.every((byte, k) => bytes[k] === byte);
