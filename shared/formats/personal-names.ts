/** Footnote signs, signs of deceased persons and of affiliations, and the commas around them. */
const sign = String.raw`[\s,;*∗⁎†‡§¶‖#✉¹²³⁰-⁹]`;
const signsAround = new RegExp(`^${sign}+|${sign}+$`, "gu");

/** A conjunction that is left at an end when a list of names is split. */
const conjunctionAround = /^(?:and|und|et|&)\s+|\s+(?:and|und|et|&)$/giu;

export function stripSigns(name: string): string {
  return name.replace(signsAround, "");
}

/** Removes signs and conjunctions around a name, and the academic titles before it. */
export function tidyName(name: string): string {
  return stripAcademicTitles(stripSigns(stripSigns(name).replace(conjunctionAround, "")));
}

/** Faculties and honours follow the first title. */
const academicTitles =
  /^(?:(?:Prof(?:essor(?:in)?)?\.?|D?Dr\.?|PD|Priv\.-Doz\.|Doz\.|M?Mag\.|Dipl\.-\p{L}+\.?|Univ\.-Prof\.|Mgr\.|Msgr\.|Rev\.|Ing\.|Sir)\s+(?:(?:h\. ?c|em|emer|apl|habil|med|phil|theol|rer|nat|pol|iur|jur|oec|mult|dent|vet)\.\s*)*)+(?=\S)/iu;

/** Removes "Prof. Dr. theol." before a name and "Ph.D." behind it. */
export function stripAcademicTitles(name: string): string {
  return name.replace(academicTitles, "").replace(/,? Ph\. ?D\.?$|, PhD$/u, "");
}

/** Removes a place or role in brackets at the end: Karl Müller (Tübingen). A name in another script is kept. */
export function stripBrackets(name: string): string {
  return name.replace(/\s*[([][\p{sc=Latin}\p{P}\p{Zs}\p{N}]*[)\]]$/u, "") || name;
}

const romanNumeral = /^(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})\.?$/;

/** Names of popes and monarchs, in the languages of the sources, which a single letter may follow as a number. */
const regnalName =
  /^(?:johann(?:es)?|john|jean|giovanni|juan|jo[aã]o|jan|ioannes|paul(?:us)?|paolo|pablo|paulo|pawe[lł]|benedi(?:kt|ct|ctus)|beno[iî]t|benedetto|benedicto|bento|pius|pio|pie|leo|leon|león|léon|leone|leão|gregor(?:ius|y|io)?|grégoire|innozenz|innocent(?:ius)?|klemens|clemens|clement|clément|urban(?:us)?|alexander|alexandre|sixtus|franziskus|francis|karl|charles|carlos|carlo|heinrich|henry|henri|friedrich|frederick|wilhelm|william|guillaume|elisabeth|elizabeth|élisabeth|ludwig|louis|luis|otto|philipp?|felipe|philippe|georg|george|edward|james|richard|maria|mary|katharina|catherine|nikolaus|nicholas|peter|gustav|christian|konstantin|constantine|maximilian|joseph)$/iu;

/**
 * Splits the name of a pope or monarch from its number: Johannes Paul II., Charles III, Pius X. The number of a
 * generation (Henry Jones III) follows a surname.
 * @returns undefined for other names
 */
export function splitRegnalName(name: string): { name: string; numeral: string } | undefined {
  const words = name.split(/\s+/);
  const last = words.pop() ?? "";
  if (words.length === 0 || words.length > 3 || !romanNumeral.test(last)) return undefined;
  const numeral = last.replace(/\.$/, "");
  const areRegnal = words.flatMap((word) => word.split("-")).every((word) => regnalName.test(word));
  const isClear = numeral.length > 1 && (last.endsWith(".") || words.length === 1);
  return areRegnal || isClear ? { name: words.join(" "), numeral } : undefined;
}

/** Decides whether a word is the number of a generation or of a monarch. A single letter may be an initial. */
export function isNumeral(word: string): boolean {
  return romanNumeral.test(word) && word.replace(".", "").length > 1;
}

/** A surname and initials without a comma: Smith J, Müller K. H. */
const initialsLast = /^(\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}) ((?:\p{Lu}\.?[ -]?){1,3})$/u;
/** Catalan, Spanish and Portuguese surnames of two parts: Puig i Cadafalch, Ortega y Gasset, Costa e Silva. */
const joinedSurnames = /^(.+?) ((?:\S+) (?:i|y|e) \S+)$/u;
/** Italian, Dutch and English surnames whose particle has a capital letter: Di Marco, Van der Berg. */
const capitalParticle = /^(.+?) ((?:D[eai]|Dell?[ao]?|Van|Von)(?: (?:de[rn]?|het|la|los|las))? \S+)$/u;
/** What follows a surname: Silva Filho, Smith Jr., Jones III, Yang (楊鳳崗). */
const withFollower = /^(.+) (\S+ (?:J[uú]nior|Filho|Neto|Sobrinho|[JS]r\.?|[IVX]{2,}|\([^()]*\)))$/u;

/** Splits a personal name in direct order before the surname. A single word is the surname. */
export function splitDirectName(name: string): { firstName: string; lastName: string } {
  const [, surname, initials] = initialsLast.exec(name) ?? [];
  if (surname !== undefined && initials !== undefined) return { firstName: initials, lastName: surname };
  const isInCapitals = name === name.toUpperCase();
  const compound =
    joinedSurnames.exec(name) ??
    withFollower.exec(name) ??
    (isInCapitals ? null : capitalParticle.exec(name));
  if (compound !== null) return { firstName: compound[1] ?? "", lastName: compound[2] ?? "" };
  const space = name.lastIndexOf(" ");
  return { firstName: name.slice(0, Math.max(space, 0)), lastName: name.slice(space + 1) };
}

/** "and", "&", "und" and "et" between names. "y", "e" and "i" join the parts of a surname. */
const conjunction = /\s+(?:and|und|et)\s+|\s*&\s*/iu;

/**
 * Splits names that are joined by a conjunction: Karl Müller and Anna Schmidt; Müller, K. & Schmidt, A. Each part must
 * have a first name and a surname.
 */
export function splitJoinedNames(value: string): string[] {
  const parts = value.split(conjunction).map(tidyName).filter(Boolean);
  return parts.length > 1 && parts.every((part) => /\S[\s,]+\S/.test(part)) ? parts : [value];
}
