import { repairCharacters } from "../metadata/xml/repair-characters.ts";

/**
 * Repairs the faults of a response that can be repaired without loss: single characters, and text before the first tag and
 * after the root's end tag (notices of a program). The parser rejects all other faults.
 */
export function sanitizeXml(text: string): string {
  const start = text.search(/<[?!A-Za-z_]/);
  const rootEnd = [...text.matchAll(/<\/(?:[\w.-]+:)?OAI-PMH\s*>/g)].at(-1);
  const end = rootEnd === undefined ? text.length : rootEnd.index + rootEnd[0].length;
  return repairCharacters(text.slice(Math.max(0, start), end));
}
