/**
 * The fields that contain the links to a document's files. A field is the local name of a Dublin Core element, such as
 * `relation`.
 */
interface FileProfile {
  /** The fields, in this order; by default `relation`, then `identifier`. */
  fields?: readonly string[];
  /** Decides which URLs are used. */
  accepts?: (url: string) => boolean;
}

export const defaultFields: readonly string[] = ["relation", "identifier"];
const maxUrls = 200;

/**
 * Returns the URLs of a document's files: the absolute http(s) URLs in the fields of its source's profile, each once.
 * Only the download shows whether a URL responds with a file, because a landing page is not a file.
 * @param values the texts of the elements, by local name
 */
export function fileUrlsOf(
  values: Readonly<Record<string, readonly string[]>>,
  { fields = defaultFields, accepts = () => true }: FileProfile = {},
): string[] {
  const urls = new Set<string>();
  for (const text of fields.flatMap((field) => values[field] ?? [])) {
    const url = URL.parse(text.trim());
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    url.hash = "";
    if (accepts(url.href)) urls.add(url.href);
  }
  return [...urls].slice(0, maxUrls);
}
