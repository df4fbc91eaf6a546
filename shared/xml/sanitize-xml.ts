import { repairCharacters } from "./repair-characters.ts";

/**
 * Repairs the faults of a response that can be repaired without loss: single characters, and text before the first tag
 * or after the root's end tag (such as notices of a program). The parser rejects all other faults.
 */
export function sanitizeXml(text: string): string {
  const start = documentStart(text);
  const rootEnd = [...text.matchAll(/<\/(?:[\w.-]+:)?OAI-PMH\s*>/g)].at(-1);
  const end = rootEnd === undefined ? text.length : rootEnd.index + rootEnd[0].length;
  return repairCharacters(text.slice(Math.max(0, start), end));
}

/** Returns the index at which the declaration or the root element begins. Notices before it may contain HTML tags. */
function documentStart(text: string): number {
  const root = text.search(/<(?:[\w.-]+:)?OAI-PMH[\s>]/);
  if (root < 0) return text.search(/<[?!A-Za-z_]/);
  const declaration = text.lastIndexOf("<?xml ", root);
  return declaration < 0 ? root : declaration;
}
