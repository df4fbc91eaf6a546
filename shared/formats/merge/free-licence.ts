/**
 * Free licences: all Creative Commons licences, public domain marks, GNU FDL. Free access without a licence does not
 * count.
 */
const freeLicences = [
  /\bcreativecommons\.org\/(?:licen[sc]es|publicdomain)\//i,
  /\bcreative commons (?:attribution|zero|public domain|by\b)/i,
  /\bcc[- ]?(?:by|0|zero)\b/i,
  /\bgnu\.org\/(?:licenses|copyleft)\/fdl/i,
];

/** @param rights a text or a URL */
export function isFreeLicence(rights: string): boolean {
  return freeLicences.some((licence) => licence.test(rights));
}
