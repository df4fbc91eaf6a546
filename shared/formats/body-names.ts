import { splitRegnalName } from "./personal-names.ts";

/**
 * Words that do not occur in names of persons, in English and German. They may be anywhere in the name, but must not be
 * the whole name.
 */
const anywhere = [
  "organi[sz]ation|university|institut(?:e|ion)?|committee|commission|council (?:of|for|on)|(?:research|security|world|national|medical|advisory|city) council|association|society|foundation|consortium",
  "collaboration|ministry|department|federation|agency|academy|centre|center|programme|collaborators|investigators",
  "(?:working|study|research|writing|task|consensus|project|advisory|steering) (?:group|force|party|team)|editorial (?:board|team|staff)",
  "universität|hochschule|gesellschaft|\\p{L}+gesellschaft|\\p{L}+institut|verband|\\p{L}+verband|kommission|ausschuss",
  "ministerium|\\p{L}+ministerium|bundesamt|stiftung|akademie|arbeitsgruppe|arbeitskreis|arbeitsgemeinschaft|redaktion",
  "church (?:of|in)|bishops['’]? conference|(?:arch)?diocese|synod of|college(?=$|\\s)|research$",
  "bank of|(?:world|national|central|state|development|investment) bank|kirche (?:in|von|der|des)|landeskirche",
  "rat (?:der|des|für)|\\p{L}+konferenz|(?:erz)?bistum|diözese",
  "united nations|gmbh|ltd|inc|llc|e\\. ?v|&",
  "(?:catholic|orthodox|lutheran|anglican|methodist|reformed|presbyterian|evangelical|baptist|united) church|holy see",
  "(?:general|holy|national) synod|(?:heilige|\\p{L}+)synode|heilige synode|heiliger stuhl|\\p{L}{2,} conference$|conference of",
  "office (?:of|for)|(?:federal|statistical|patent|foreign|home|press) office|amt für|(?:landes|kirchen|patent)amt",
  "order of|orden (?:der|des)|union of|(?:european|african|soviet) union|bund (?:der|für)|verein|bündnis|gewerkschaft",
  "\\p{L}{2,} forum$|forum (?:of|for|für)|network|netzwerk|alliance|initiative|museum|library|archives|bibliothek|\\p{L}+bibliothek",
  "(?:university|\\p{L}+) press$|verlag|\\p{L}*anstalt|faculty of|fakultät|rights watch|red cross|rotes kreuz|amnesty international|sans frontières|school of",
].join("|");

/**
 * Words at the beginning of names of bodies in Romance languages and Dutch. Some of them are also surnames, which are
 * at the end of a name.
 */
const atBeginning = [
  "université|universidad|universidade|università|universitat|universiteit|institut|instituto|istituto|société|sociedad",
  "sociedade|società|comité|comitato|comitê|conseil|consejo|consiglio|conselho|comisión|commissione|comissão|ministère",
  "ministerio|ministero|ministério|asociación|associazione|associação|associació|fondation|fundación|fondazione|fundação",
  "ordre|ordine|ordem|iglesia|igreja|chiesa|sínodo|sinodo|concilio|colegio|collège|collegio|bibliothèque|biblioteca|musée|museo",
  "facultad|faculté|faculdade|facoltà|museu|banque|banco|banca|oficina|ufficio|observatoire|observatorio|koninklijke|uniwersytet|akademia|instytut|kościół",
  "fédération|federación|federazione|conférence|conferencia|conferenza|diocèse|diócesis|diocesi|église|académie|academia|accademia|centro|vereniging|stichting|groupe|grupo|gruppo|equipo",
].join("|");

const bodyName = new RegExp(
  String.raw`(?:^|[\s-])(?:${anywhere})(?![\p{L}\p{M}])|^(?:l[ae] |l['’]|el |il |a |o |de |het )?(?:${atBeginning})\s`,
  "iu",
);

/**
 * Decides whether a name is clearly that of a body. A single word and a name with an initial are never recognised as
 * bodies, because they may be surnames.
 */
export function isBodyName(name: string): boolean {
  return /\S\s\S/.test(name) && bodyName.test(name) && !/(?:^|\s)\p{Lu}\.(?:\s|$)/u.test(name);
}

/** Words that do not occur in names of persons, but are not names of bodies when alone. */
const otherWords =
  /(?<!\p{L})(?:forum|groupe?|team|projekt|project|service|office|board|staff|editors?|authority|company|corporation|conference|international|national|european|deutscher?|united|rights|bahn|amt|the|anonymous|various)(?!\p{L})|[\d&@/]/iu;

/** Words of bodies that are surnames as well: New Life Church, Charlotte Church. */
const surnamesToo =
  /(?<!\p{L})(?:church|bank|council|college|press|watch|cross|trust|fund|union|club|school|schule|bund|kirche)(?!\p{L})/iu;

/** The particles of personal names, which do not count as names. */
const particle =
  /^(?:van|von|de[lnr]?|d[aio]s?|du|della|la|las|le|los|el|al|ter|ten|zu|zur|zum|bin|ibn|y|i|e|af|av)$/iu;

/**
 * Decides from the form of a name, if its source does not state it, whether it is that of a person. A comma after the
 * surname, an initial, and two to four names with capital letters are evidence.
 * @returns "unknown" for a single word, an abbreviation, and words that do not look like personal names
 */
export function classifyName(name: string): "person" | "body" | "unknown" {
  if (isBodyName(name)) return "body";
  const isOfTwoWords = /^\S+ \S+$/.test(name);
  if (otherWords.test(name) || (surnamesToo.test(name) && !isOfTwoWords)) return "unknown";
  if (/^[^,]+,\s*\S/.test(name) || splitRegnalName(name) !== undefined) return "person";
  const names = name.split(/[\s,]+/).filter((word) => word !== "" && !particle.test(word));
  const areNames = names.every((word) => /^\p{L}[\p{L}\p{M}.'’-]*$/u.test(word) && !/^\p{Ll}/u.test(word));
  return areNames && names.length >= 2 && names.length <= 4 ? "person" : "unknown";
}

/**
 * Joins the name of a body that was split like the name of a person: World Health | Organization or, at a comma, Labour
 * and Welfare | Ministry of Health.
 * @returns undefined when the name may be that of a person
 */
export function joinBodyName({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): string | undefined {
  const whole =
    firstName !== "" && isBodyName(lastName)
      ? `${lastName}, ${firstName}`
      : `${firstName} ${lastName}`.trim();
  return isBodyName(whole) ? whole : undefined;
}
