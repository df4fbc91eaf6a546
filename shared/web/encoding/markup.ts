/** The syntax in which a body is parsed. */
type Markup = "html" | "xml";

/**
 * Returns the syntax of a media type. A body without a media type is HTML.
 * @returns undefined for other types (images, PDF, plain text, JSON)
 */
export function markupOf(contentType: string | undefined): Markup | undefined {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "" || mediaType === "text/html") return "html";
  return /^(?:application|text)\/xml$|\+xml$/.test(mediaType) ? "xml" : undefined;
}
