const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without padding. @see https://www.rfc-editor.org/rfc/rfc4648#section-6 */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value & 0xff) << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
  }
  return text;
}

/** The value of each character's code; -1 of one that is none of base 32. */
export const base32Values = Int8Array.from({ length: 256 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
);
