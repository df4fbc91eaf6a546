import { brotliDecompressSync } from "node:zlib";
import { eaccCharacters, eaccTable } from "./eacc-table.ts";

/** The values of a byte of EACC are 20 to 7E. */
const firstByte = 0x20;
const byteValues = 95;

let characters: ReadonlyMap<number, string> | undefined;

/**
 * Returns the character for three bytes of the East Asian Character Code.
 * @returns undefined when no character is assigned
 */
export function eaccCharacter(first: number, second: number, third: number): string | undefined {
  characters ??= unpack();
  return characters.get(placeOf(first, second, third));
}

function placeOf(first: number, second: number, third: number): number {
  return ((first - firstByte - 1) * byteValues + second - firstByte) * byteValues + third - firstByte;
}

/** Unpacks the table. Called when the first East Asian text is read. */
function unpack(): Map<number, string> {
  const bytes = brotliDecompressSync(Buffer.from(eaccTable, "base64"));
  const upper = bytes.length - 2 * eaccCharacters;
  const lower = bytes.length - eaccCharacters;
  const unpacked = new Map<number, string>();
  let at = 0;
  let place = 0;
  for (let index = 0; index < eaccCharacters; index++) {
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      place += (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    unpacked.set(
      place,
      String.fromCharCode(((bytes[upper + index] ?? 0) << 8) | (bytes[lower + index] ?? 0)),
    );
  }
  return unpacked;
}
