/** Approximate size of a piece: large enough for few calls, small enough to send one while the next is made. */
const CHUNK_CHARS = 65_536;

/**
 * JSON text of an object that ends in a long list, in pieces.
 *
 * @param head   members before the list
 * @param list   name of the list
 * @param items  each already JSON text; an empty text is no item, but a place where the caller may pause
 * @param tail   members after it
 */
export function* jsonStream(head: object, list: string, items: Iterable<string>, tail: object): Iterable<string> {
  let piece = `${JSON.stringify(head).slice(0, -1)},"${list}":[`;
  let separator = "";
  for (const item of items) {
    if (item === "") {
      yield "";
      continue;
    }
    piece += separator + item;
    separator = ",";
    if (piece.length < CHUNK_CHARS) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}],${JSON.stringify(tail).slice(1)}`;
}
