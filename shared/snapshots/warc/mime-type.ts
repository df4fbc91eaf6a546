/**
 * Returns the MIME type in a content type: `text/html` for `Text/HTML; charset=utf-8`, `-` for an invalid
 * one.
 */
export function mimeType(contentType: string | undefined): string {
  const type = (contentType ?? "").split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? "";
  return /^[!-~]+\/[!-~]+$/.test(type) ? type : "-";
}
