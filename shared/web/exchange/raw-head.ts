/**
 * The head of an answer as the host sent it: status line, and headers in their order and case. The version is always
 * HTTP/1.1, because undici does not report HTTP/1.0.
 * @param rawHeaders names and values alternately, as undici provides them
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-message-format
 */
export function rawHead(status: number, reason: string, rawHeaders: unknown): Uint8Array {
  const fields: unknown[] = Array.isArray(rawHeaders) ? rawHeaders : [];
  const text = fields.map((field) => (Buffer.isBuffer(field) ? field.toString("latin1") : String(field)));
  const lines = text.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${text[index + 1] ?? ""}`] : []));
  return Buffer.from([`HTTP/1.1 ${status} ${reason}`, ...lines, "", ""].join("\r\n"), "latin1");
}
