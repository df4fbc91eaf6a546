/**
 * Parses a JSON text, or its bytes in UTF-8.
 * @returns undefined when the text is not JSON
 */
export function parseJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof json === "string" ? json : new TextDecoder().decode(json));
  } catch {
    return undefined;
  }
}
