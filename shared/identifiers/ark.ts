/**
 * An Archival Resource Key.
 * @see https://datatracker.ietf.org/doc/draft-kunze-ark/
 */
export interface Ark {
  /** The Name Assigning Authority Number, in lower case, such as `80444`. */
  naan: string;
  /** The assigned name with its qualifiers, without hyphens, such as `xv43658` or `xv43658/c2.v1`. */
  name: string;
}

/** Longer texts are cut, because no ARK begins this late in a statement of a relation. */
const maxChars = 20_000;

/**
 * The digits and letters of a NAAN, which has no vowels and no `l`. The optional slash after `ark:` is the older form.
 */
const arkStart = "ark:/?([0-9bcdfghjkmnpqrstvwxz]{1,16})/";
/** Hyphens, and the dashes that word processors insert instead. They have no meaning in an ARK. */
const hyphens = /[-\u2010-\u2015]/g;
const nameText = String.raw`[\w=~*+@$./%\u2010-\u2015-]+`;

const wholeArk = new RegExp(`^${arkStart}(${nameText})$`, "i");
const arkInText = new RegExp(`(?<![A-Za-z0-9])${arkStart}(${nameText})`, "gi");

/** A character that continues a name. `/` and `.` begin a qualifier instead. */
const nameCharacter = /^[\w=~*+@$%]/;

/** Parses a text that is an ARK, such as `ark:/80444/xv43658` or `ark:80444/xv43658`. */
export function parseArk(text: string): Ark | undefined {
  const [, naan = "", name = ""] = wholeArk.exec(unescaped(text.trim()).slice(0, maxChars)) ?? [];
  const normal = normalName(name).replace(/[./]+$/, "");
  return /[A-Za-z0-9]/.test(normal) ? { naan: naan.toLowerCase(), name: normal } : undefined;
}

/**
 * Decides whether a text, such as a URL or a sentence, contains the complete ARK. A qualifier may follow the ARK. For
 * example, `ark:/80444/xv43658` does not contain `xv4365`. If `ark` is undefined, the text may contain any ARK.
 */
export function containsArk(text: string, ark: Ark | undefined): boolean {
  // Nearly all texts lack these letters, and this test is quicker than the regular expression.
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

/** Formats an ARK as `ark:/80444/xv43658`. */
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
      // The escapes are not UTF-8.
      return escapes;
    }
  });
}
