const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const codes = Buffer.from(alphabet, "latin1");

/** Encodes bytes in base32, without padding. @see https://www.rfc-editor.org/rfc/rfc4648#section-6 */
export function base32(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(Math.floor((bytes.byteLength * 8) / 5));
  let length = 0;
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value & 0xff) << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text[length++] = codes[(value >>> (bits - 5)) & 31] as number;
  }
  return text.toString("latin1");
}

/** The value of each character's code; -1 for a character outside base 32. */
export const base32Values = Int8Array.from({ length: 256 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
);
