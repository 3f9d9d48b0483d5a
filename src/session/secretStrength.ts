import { sumOf } from "../base/sums.ts";
/**
 * Minimum of estimated entropy of a secret that protects a server which other machines can reach
 * (docs/model/sandbox.md#secret-strength). A holder of one refresh token can test guesses of the token secret without
 * calling the server.
 */
export const SECRET_BITS_MIN = 96;

/** Entropy of a letter in a word: a Diceware word has 12.9 bits in about six letters. */
const BITS_PER_WORD_LETTER = 2;

/** Words that count as no entropy, because every list of guesses begins with them. */
const GUESSED_WORDS =
  /password|passwort|passphrase|secret|token|vppsim|sandbox|change-?me|default|admin|letmein|qwerty/gi;

/**
 * Estimated entropy of a secret in bits; low rather than high.
 *
 * Each character counts with its alphabet, letters of words with less. Guessed words, repetitions and ascending or
 * descending runs count as no entropy.
 */
export function estimatedBits(secret: string): number {
  const text = secret.replaceAll(GUESSED_WORDS, "");
  const bitsPerCharacter = Math.log2(alphabetSize(text));
  const isWordLetter = wordLetters(text);
  const seen = new Set<string>();
  let bits = 0;
  for (let k = 0; k < text.length; k++) {
    const triple = text.slice(Math.max(0, k - 2), k + 1).toLowerCase();
    const isRepeated = triple.length === 3 && seen.has(triple);
    if (triple.length === 3) seen.add(triple);
    if (isRepeated || continuesRun(text, k)) continue;
    bits += isWordLetter[k] ? Math.min(BITS_PER_WORD_LETTER, bitsPerCharacter) : bitsPerCharacter;
  }
  return bits;
}

/** Whether the last three characters have equal distances of −1, 0 or 1: `aaa`, `123`, `cba`. */
function continuesRun(text: string, k: number): boolean {
  if (k < 2) return false;
  const step = text.charCodeAt(k) - text.charCodeAt(k - 1);
  return Math.abs(step) <= 1 && step === text.charCodeAt(k - 1) - text.charCodeAt(k - 2);
}

const IS_HEX = /^[0-9a-f-]*$/i;

/** Marks letters in runs of three or more of one case; hexadecimal digits form no words. */
function wordLetters(text: string): readonly boolean[] {
  const marks = new Array<boolean>(text.length).fill(false);
  if (IS_HEX.test(text)) return marks;
  for (const { index, 0: word } of text.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{3,}/g))
    marks.fill(true, index, index + word.length);
  return marks;
}

/** Number of characters of the smallest usual alphabet that has all characters of a text; at least 1. */
function alphabetSize(text: string): number {
  if (IS_HEX.test(text)) return /[a-f]/i.test(text) ? 16 : 10;
  const classes: readonly (readonly [RegExp, number])[] = [
    [/[0-9]/, 10],
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[^0-9a-z]/i, 2],
  ];
  return sumOf(classes, ([pattern, count]) => (pattern.test(text) ? count : 0));
}
