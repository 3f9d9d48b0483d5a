/** Limits of a JSON text; beyond them parsing or checking it would hold the event loop. */
export interface JsonLimits {
  /** Nested lists and objects. */
  readonly levels: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Keys, and values in lists, of the whole text. */
  readonly values: number;
}

/** What one pass over a JSON text finds. */
interface JsonScan {
  /** The first limit that the text exceeds, or `null`. */
  readonly exceeds: keyof JsonLimits | null;
  /** Keys of all objects, repeated ones included; meaningless if a limit is exceeded. */
  readonly keyCount: number;
}

/**
 * Counts levels, keys and values of a JSON text before it is parsed, in linear time. It works on any text: where the text is
 * not JSON, the parser refuses it afterwards.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  // Keys of each open list or object; a list has none.
  const keysAt = new Array<number>(limits.levels + 1).fill(0);
  let depth = 0;
  let keyCount = 0;
  let values = 0;
  for (let k = 0; k < bytes.length; k++) {
    switch (bytes[k]) {
      case QUOTE:
        k = endOfText(bytes, k);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > limits.levels) return { exceeds: "levels", keyCount };
        keysAt[depth] = 0;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (depth > 0) depth--;
        break;
      case COLON:
        keyCount++;
        if (++keysAt[depth] > limits.keys) return { exceeds: "keys", keyCount };
        if (++values > limits.values) return { exceeds: "values", keyCount };
        break;
      case COMMA:
        // The values of an object are counted by their colons.
        if (keysAt[depth] === 0 && ++values > limits.values) return { exceeds: "values", keyCount };
        break;
    }
  }
  return { exceeds: null, keyCount };
}

/** Position of the quote that ends a text, or of the last byte. */
function endOfText(bytes: Uint8Array, start: number): number {
  let k = start + 1;
  while (k < bytes.length && bytes[k] !== QUOTE) k += bytes[k] === BACKSLASH ? 2 : 1;
  return k;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
