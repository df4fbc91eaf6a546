import { hash } from "node:crypto";

/**
 * Returns a short id that is the same for the same parts: 16 characters of base64url (96 bits of SHA-256). The parts
 * are joined by U+0000, so no part may contain that character.
 */
export function digest(...parts: string[]): string {
  return hash("sha256", parts.join("\0"), "base64url").slice(0, 16);
}
