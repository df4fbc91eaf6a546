import { hash } from "node:crypto";
import { base32 } from "./base32.ts";

/** `sha1:` and the digest in base 32, as Heritrix and wget write it. Readers compare digests as texts. */
export function sha1DigestOf(content: Uint8Array): string {
  return `sha1:${base32(hash("sha1", content, "buffer"))}`;
}

/** The same of a digest in hexadecimal. */
export function sha1DigestOfHex(digest: string): string {
  return `sha1:${base32(Buffer.from(digest, "hex"))}`;
}
