/** `text/html` of `Text/HTML; charset=utf-8`; `-` of what is not a mime type. */
export function mimeType(contentType: string | undefined): string {
  const type = (contentType ?? "").split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? "";
  return /^[!-~]+\/[!-~]+$/.test(type) ? type : "-";
}
