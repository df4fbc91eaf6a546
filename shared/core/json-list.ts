/** Why a JSON list cannot be read further. */
export class BrokenList extends Error {
  override readonly name = "BrokenList";
}

const [space, tab, lineFeed, carriageReturn] = [0x20, 0x09, 0x0a, 0x0d];
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const byteOrderMark: ReadonlySet<number> = new Set(Buffer.from("\ufeff"));

/** An element of a list, as written, and the line of its first byte, from 1. */
interface ListElement {
  bytes: Buffer;
  line: number;
}

/**
 * Splits a JSON list in UTF-8 into the texts of its elements, with one element in memory. An element may be invalid:
 * only brackets and quotes are matched.
 * @throws BrokenList when the text is not a list, ends too early, or has an element of more than `maxBytes`
 */
export async function* splitJsonList(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<ListElement> {
  let state = "before" as "before" | "inside" | "after";
  let [depth, line, firstLine] = [0, 1, 1];
  let [isInString, isEscaped, hasBegun] = [false, false, false];
  let element: Buffer[] = [];
  let elementBytes = 0;
  const take = (last: Buffer): ListElement => {
    const bytes = Buffer.concat([...element, last]);
    [element, elementBytes, hasBegun] = [[], 0, false];
    const taken = { bytes, line: firstLine };
    firstLine = line;
    return taken;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === lineFeed) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
        continue;
      }
      if (byte === space || byte === lineFeed || byte === carriageReturn || byte === tab) continue;
      if (state !== "inside") {
        if (state === "after") throw new BrokenList(`is not JSON: line ${line}: text after the list`);
        if (byteOrderMark.has(byte ?? 0)) continue;
        if (byte !== openList) throw new BrokenList("must be a list of items");
        state = "inside";
        from = at + 1;
        firstLine = line;
        continue;
      }
      if (depth === 0 && (byte === comma || byte === closeList)) {
        if (hasBegun || byte === comma) yield take(bytes.subarray(from, at));
        if (byte === closeList) state = "after";
        from = at + 1;
        continue;
      }
      hasBegun = true;
      if (byte === quote) isInString = true;
      else if (byte === openList || byte === openObject) depth += 1;
      else if (byte === closeList || byte === closeObject) depth = Math.max(0, depth - 1);
    }
    if (state !== "inside") continue;
    elementBytes += bytes.length - from;
    if (elementBytes > maxBytes)
      throw new BrokenList(
        `line ${firstLine}: an item has more than ${maxBytes} bytes, or a quote is not closed`,
      );
    element.push(bytes.subarray(from));
  }
  if (state === "before") throw new BrokenList("is empty, but must be JSON");
  if (state === "inside")
    throw new BrokenList("is not JSON: it ends too early; a bracket or quote is not closed");
}
