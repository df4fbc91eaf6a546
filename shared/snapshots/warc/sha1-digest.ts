import { createHash } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** `sha1:` and the digest in base 32, as Heritrix and wget write it. Readers compare digests as texts. */
export function sha1DigestOf(content: Uint8Array): string {
  return `sha1:${base32(createHash("sha1").update(content).digest())}`;
}

/** The same of a digest in hexadecimal. */
export function sha1DigestOfHex(digest: string): string {
  return `sha1:${base32(Buffer.from(digest, "hex"))}`;
}

/** @see https://www.rfc-editor.org/rfc/rfc4648#section-6 */
function base32(bytes: Uint8Array): string {
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
