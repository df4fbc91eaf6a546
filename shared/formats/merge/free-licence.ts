/**
 * Free licences: all Creative Commons licences, public domain marks, GNU FDL. Free access without a licence does not
 * count.
 */
const freeLicences = [
  /\bcreativecommons\.org\/(?:licen[sc]es|publicdomain)\//i,
  /\bcreative commons (?:attribution|zero|public domain|by\b)/i,
  // EPrints writes cc_by_4.
  /\bcc[-_ ]?(?:by|0|zero)(?![a-z])/i,
  /\bgnu\.org\/(?:licenses|copyleft)\/fdl/i,
];

/** A statement about a site with exceptions, and a denial. */
const otherwise = /^\W*(?:except|unless)\b|\bnot (?:under|licen[cs]ed|covered|available)\b/i;

/**
 * Decides whether a statement names a free licence. A statement that begins with its exceptions is about
 * the site.
 * @param rights a text or a URL
 */
export function isFreeLicence(rights: string): boolean {
  return !otherwise.test(rights) && freeLicences.some((licence) => licence.test(rights));
}
