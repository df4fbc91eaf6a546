/** How a body is to be read, by its media type; undefined for what is no document (images, PDF, plain text, JSON). */
export type Markup = "html" | "xml";

/** A body without a media type is taken for HTML, as browsers mostly find. */
export function markupOf(contentType: string | undefined): Markup | undefined {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "" || mediaType === "text/html") return "html";
  return /^(?:application|text)\/xml$|\+xml$/.test(mediaType) ? "xml" : undefined;
}
