/**
 * The MARC relator codes by Zotero's creator types.
 * @see https://www.loc.gov/marc/relators/relaterm.html
 */
const relatorCodes = new Map([
  ["artist", "art"],
  ["attorneyAgent", "csl"],
  ["author", "aut"],
  ["bookAuthor", "edc"],
  ["cartographer", "ctg"],
  ["castMember", "act"],
  ["commenter", "cwt"],
  ["composer", "cmp"],
  ["contributor", "ctb"],
  ["cosponsor", "spn"],
  ["director", "drt"],
  ["editor", "edt"],
  ["guest", "pan"],
  ["interviewee", "ive"],
  ["inventor", "inv"],
  ["performer", "prf"],
  ["podcaster", "brd"],
  ["presenter", "pre"],
  ["producer", "pro"],
  ["programmer", "prg"],
  ["recipient", "rcp"],
  ["reviewedAuthor", "aut"],
  ["scriptwriter", "aus"],
  ["seriesEditor", "edt"],
  ["sponsor", "spn"],
  ["translator", "trl"],
  ["wordsBy", "wam"],
]);

/**
 * Returns the relator code of a creator type.
 * @returns undefined for an unknown type
 */
export function relatorCode(creatorType: string): string | undefined {
  return relatorCodes.get(creatorType);
}
