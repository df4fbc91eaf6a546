/** How a reader recognises the end of a body. */
export type Framing =
  | { type: "none" }
  | { type: "length"; bytes: number }
  | { type: "chunked" }
  | { type: "until-close" };

type FramingReading =
  | { type: "framed"; framing: Framing; warning?: string }
  | { type: "ambiguous"; detail: string };

/**
 * Decides where the body of a response ends. Repeated Content-Lengths with the same value are accepted. Everything else
 * that two readers could understand differently is ambiguous: different lengths, a length together with chunks, and any
 * transfer coding except `chunked`.
 * @param headers names in lower case
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-message-body-length
 */
export function framingOf(
  headers: Record<string, string | string[]>,
  { status, method }: { status: number; method: string },
): FramingReading {
  const lengths = valuesOf(headers["content-length"]);
  const codings = valuesOf(headers["transfer-encoding"]);
  if (lengths.length > 0 && codings.length > 0)
    return ambiguous("it has a Content-Length and a Transfer-Encoding");
  if (lengths.some((each) => !/^\d{1,15}$/.test(each)))
    return ambiguous("its Content-Length is not a number");
  if (new Set(lengths).size > 1) return ambiguous("it has different Content-Lengths");
  if (codings.length > 1 || (codings[0] ?? "chunked").toLowerCase() !== "chunked") {
    return ambiguous("its Transfer-Encoding is not chunked");
  }
  const [length] = lengths;
  if (length !== undefined) headers["content-length"] = length;
  const warning = lengths.length > 1 ? { warning: "Content-Length is repeated" } : {};
  return { type: "framed", framing: decide(), ...warning };

  function decide(): Framing {
    if (method === "HEAD" || status < 200 || status === 204 || status === 304) return { type: "none" };
    if (codings.length > 0) return { type: "chunked" };
    return length === undefined ? { type: "until-close" } : { type: "length", bytes: Number(length) };
  }
}

/** Returns all values of a header, including those of a comma-separated list. */
function valuesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header].flat().flatMap((value) => value.split(",").map((each) => each.trim()));
}

function ambiguous(detail: string): FramingReading {
  return { type: "ambiguous", detail };
}
