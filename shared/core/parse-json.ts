/** The value of a JSON text, or of its bytes in UTF-8; undefined when it is not JSON. */
export function parseJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof json === "string" ? json : new TextDecoder().decode(json));
  } catch {
    return undefined;
  }
}
