import { languageTags, marcLanguage } from "./language-codes.ts";

/** Beside its own, the languages in which a language may be named. */
const namedIn = ["en", "de", "fr", "es", "it", "pt", "nl"];

let codes: ReadonlyMap<string, string> | undefined;

/** The MARC code of a language by its name in one of some languages, or in its own: `Deutsch`, `allemand`, `German`. */
export function languageByName(name: string): string | undefined {
  codes ??= readNames();
  return codes.get(name.trim().toLowerCase());
}

/** The first language that has a name keeps it. */
function readNames(): Map<string, string> {
  const found = new Map<string, string>();
  for (const tag of languageTags) {
    const code = marcLanguage(tag);
    for (const locale of [...namedIn, tag]) {
      const name = new Intl.DisplayNames(locale, { type: "language", fallback: "none" })
        .of(tag)
        ?.toLowerCase();
      if (code !== undefined && name !== undefined && !found.has(name)) found.set(name, code);
    }
  }
  return found;
}
