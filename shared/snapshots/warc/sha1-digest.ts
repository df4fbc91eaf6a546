import { hash } from "node:crypto";
import { base32 } from "./base32.ts";

/**
 * Returns `sha1:` and the digest in base32, as Heritrix and wget write it. Readers compare digests as
 * strings.
 */
export function sha1DigestOf(content: Uint8Array): string {
  return `sha1:${base32(hash("sha1", content, "buffer"))}`;
}

/** Converts a hexadecimal digest to this form. */
export function sha1DigestOfHex(digest: string): string {
  return `sha1:${base32(Buffer.from(digest, "hex"))}`;
}
