/**
 * The values of leader/06 and leader/07 of a resource.
 * @see https://www.loc.gov/marc/bibliographic/bdleader.html
 */
interface ResourceType {
  recordType: string;
  level: string;
}

/**
 * Record types by the words of a type, without prefix, case and punctuation. DCMI types are mapped as in the stylesheet
 * of the Library of Congress. The exception is `image`, because moving and still images have separate types in both
 * vocabularies.
 * @see https://www.dublincore.org/specifications/dublin-core/dcmi-terms/#section-7
 */
const recordTypes: ReadonlyMap<string, string> = new Map([
  ["collection", "p"],
  ["dataset", "m"],
  ["event", "r"],
  ["image", "k"],
  ["stillimage", "k"],
  ["photograph", "k"],
  ["movingimage", "g"],
  ["video", "g"],
  ["film", "g"],
  ["interactiveresource", "m"],
  ["service", "m"],
  ["software", "m"],
  ["physicalobject", "r"],
  ["sound", "i"],
  ["audio", "i"],
  ["map", "e"],
  ["cartographicmaterial", "e"],
  ["musicalscore", "c"],
  ["text", "a"],
]);

/**
 * Bibliographic levels by types of texts: b for a part of a serial, a for a part of a monograph, s for a serial itself.
 */
const levels: readonly (readonly [pattern: RegExp, level: string])[] = [
  [/\b(?:bookpart|book chapter|book section)\b/, "a"],
  [
    /\b(?:journal ?article|article|research article|artículo|artigo|review|editorial|contributiontoperiodical|letter)\b/,
    "b",
  ],
  [/\b(?:journal|periodical|newspaper|serial)$/, "s"],
  [/^collection$/, "c"],
];

/**
 * Classifies a resource by its types; a monographic text without any that is known.
 * @param own leader/06 and 07 of types, in lower case, that a source names so
 */
export function classifyType(types: readonly string[], own: ReadonlyMap<string, string>): ResourceType {
  const mapped = types.map((type) => own.get(type.toLowerCase())).find((found) => found !== undefined);
  if (mapped !== undefined) return { recordType: mapped.charAt(0), level: mapped.charAt(1) };
  // info:eu-repo/semantics/article, http://purl.org/dc/dcmitype/Text, http://purl.org/coar/resource_type/c_6501 (journal article)
  const words = types.map((type) => {
    if (/coar\/resource_type\/c_(?:6501|2df8fbb1|dcae04bc|b239|545b)$/.test(type)) return "article";
    if (/coar\/resource_type\/c_3248$/.test(type)) return "bookpart";
    return type
      .replace(/^.*[/#:](?=[\w ]+$)/, "")
      .toLowerCase()
      .trim();
  });
  const recordType = words
    .map((word) => recordTypes.get(word.replace(/[^\p{L}]/gu, "")))
    .find((found) => found !== undefined);
  const level = levels.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
  return { recordType: recordType ?? "a", level: level ?? "m" };
}
