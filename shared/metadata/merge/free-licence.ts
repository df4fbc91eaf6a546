/**
 * Licences that let everyone read and pass on: Creative Commons in all its forms, the public domain marks and the GNU
 * licence for documents. That a page can be read without paying is no licence.
 */
const freeLicences = [
  /\bcreativecommons\.org\/(?:licen[sc]es|publicdomain)\//i,
  /\bcreative commons (?:attribution|zero|public domain|by\b)/i,
  /\bcc[- ]?(?:by|0|zero)\b/i,
  /\bgnu\.org\/(?:licenses|copyleft)\/fdl/i,
];

/** Whether a statement of rights, a text or a URL, names a free licence. */
export function isFreeLicence(rights: string): boolean {
  return freeLicences.some((licence) => licence.test(rights));
}
