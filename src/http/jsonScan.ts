/** Limits of a JSON text; beyond them parsing or checking it would hold the event loop. */
export interface JsonLimits {
  /** Nested lists and objects. */
  readonly levels: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Keys, and values in lists, of the whole text. */
  readonly values: number;
}

/**
 * Counts levels, keys and values of a JSON text before it is parsed, in linear time. It takes the text in pieces, and works on any
 * text: where the text is not JSON, the parser refuses it afterwards.
 */
export class JsonScan {
  readonly #limits: JsonLimits;
  /** Keys of each open list or object; a list has none. */
  readonly #keysAt: number[];
  #depth = 0;
  #values = 0;
  #keyCount = 0;
  #exceeds: keyof JsonLimits | null = null;
  #isInText = false;
  /** Whether a backslash precedes the next character of a text. */
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#keysAt = new Array<number>(limits.levels + 1).fill(0);
  }

  /** The first limit that the text exceeds, or `null`. */
  get exceeds(): keyof JsonLimits | null {
    return this.#exceeds;
  }

  /** Keys of all objects, repeated ones included; meaningless if a limit is exceeded. */
  get keyCount(): number {
    return this.#keyCount;
  }

  /** Continues with the next bytes of the text; has no effect once a limit is exceeded. */
  add(bytes: Uint8Array): void {
    let k = 0;
    while (k < bytes.length && this.#exceeds === null) {
      if (this.#isInText) k = this.#skipText(bytes, k);
      else this.#count(bytes[k++]);
    }
  }

  /** Position behind the quote that ends the text, or behind the last byte. */
  #skipText(bytes: Uint8Array, start: number): number {
    let k = start;
    let isEscaped = this.#isEscaped;
    while (k < bytes.length && (isEscaped || bytes[k] !== QUOTE)) {
      isEscaped = !isEscaped && bytes[k] === BACKSLASH;
      k++;
    }
    this.#isEscaped = isEscaped;
    this.#isInText = k === bytes.length;
    return k + 1;
  }

  #count(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#isInText = true;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++this.#depth > this.#limits.levels) this.#exceeds = "levels";
        this.#keysAt[this.#depth] = 0;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (this.#depth > 0) this.#depth--;
        break;
      case COLON:
        this.#keyCount++;
        if (++this.#keysAt[this.#depth] > this.#limits.keys) this.#exceeds = "keys";
        else this.#countValue();
        break;
      case COMMA:
        // The values of an object are counted by their colons.
        if (this.#keysAt[this.#depth] === 0) this.#countValue();
        break;
    }
  }

  #countValue(): void {
    if (++this.#values > this.#limits.values) this.#exceeds = "values";
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
