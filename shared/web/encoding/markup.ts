/** How to parse a body. */
type Markup = "html" | "xml";

/** By media type; undefined for other types (images, PDF, plain text, JSON). A body without a media type is HTML. */
export function markupOf(contentType: string | undefined): Markup | undefined {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "" || mediaType === "text/html") return "html";
  return /^(?:application|text)\/xml$|\+xml$/.test(mediaType) ? "xml" : undefined;
}
