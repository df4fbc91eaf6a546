/**
 * Archival Resource Keys.
 * @see https://datatracker.ietf.org/doc/draft-kunze-ark/
 */
export interface Ark {
  /** Name Assigning Authority Number, in lower case, as in `80444`. */
  naan: string;
  /** The assigned name with its qualifiers, without hyphens, as in `xv43658` or `xv43658/c2.v1`. */
  name: string;
}

/** Longer texts are cut: no ARK begins that late in a statement of a relation. */
const maxChars = 20_000;

/** Letters and digits without vowels and `l`; the slash after `ark:` is that of the older form. */
const arkStart = "ark:/?([0-9bcdfghjkmnpqrstvwxz]{1,16})/";
/** Hyphens, and dashes that word processors put in their place, mean nothing in an ARK. */
const hyphens = /[-\u2010-\u2015]/g;
const nameText = String.raw`[\w=~*+@$./%\u2010-\u2015-]+`;

const wholeArk = new RegExp(`^${arkStart}(${nameText})$`, "i");
const arkInText = new RegExp(`(?<![A-Za-z0-9])${arkStart}(${nameText})`, "gi");

/** A character that continues a name; `/` and `.` begin a qualifier. */
const nameCharacter = /^[\w=~*+@$%]/;

/** Parses a text that is an ARK, in the form of `ark:/80444/xv43658` or `ark:80444/xv43658`. */
export function parseArk(text: string): Ark | undefined {
  const [, naan = "", name = ""] = wholeArk.exec(unescaped(text.trim()).slice(0, maxChars)) ?? [];
  const normal = normalName(name).replace(/[./]+$/, "");
  return /[A-Za-z0-9]/.test(normal) ? { naan: naan.toLowerCase(), name: normal } : undefined;
}

/**
 * Whether a text, such as a URL or a sentence, contains the ARK: whole, also with a qualifier after it. `xv4365` is not in
 * `ark:/80444/xv43658`. Without an ARK: whether it contains any.
 */
export function containsArk(text: string, ark: Ark | undefined): boolean {
  // Nearly all texts have none: this is quicker than the expression.
  if (!/ark/i.test(text)) return false;
  for (const [, naan = "", name = ""] of unescaped(text.slice(0, maxChars)).matchAll(arkInText)) {
    const found = normalName(name);
    if (ark === undefined) {
      if (/^[./]*[A-Za-z0-9]/.test(found)) return true;
    } else if (naan.toLowerCase() === ark.naan && found.startsWith(ark.name)) {
      if (!nameCharacter.test(found.slice(ark.name.length))) return true;
    }
  }
  return false;
}

/** The ARK in the form of `ark:/80444/xv43658`. */
export function formatArk({ naan, name }: Ark): string {
  return `ark:/${naan}/${name}`;
}

function normalName(name: string): string {
  return name.replaceAll(hyphens, "");
}

/** ARKs inside the parameters of URLs are percent-encoded. */
function unescaped(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(/(?:%[\dA-F]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      // Not UTF-8.
      return escapes;
    }
  });
}
