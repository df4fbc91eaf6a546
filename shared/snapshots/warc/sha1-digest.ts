import { createHash, type Hash } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** `sha1:` and the digest in base 32, as Heritrix and wget write it. Readers compare digests as texts. */
export function sha1Digest(hash: Hash): string {
  return `sha1:${base32(hash.digest())}`;
}

export function sha1DigestOf(content: Uint8Array): string {
  return sha1Digest(createHash("sha1").update(content));
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
