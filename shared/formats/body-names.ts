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
  "united nations|gmbh|ltd|inc|llc|e\\. ?v",
].join("|");

/**
 * Words at the beginning of names of bodies in Romance languages and Dutch. Some of them are also surnames, which are
 * at the end of a name.
 */
const atBeginning = [
  "université|universidad|universidade|università|universitat|universiteit|institut|instituto|istituto|société|sociedad",
  "sociedade|società|comité|comitato|comitê|conseil|consejo|consiglio|conselho|comisión|commissione|comissão|ministère",
  "ministerio|ministero|ministério|asociación|associazione|associação|associació|fondation|fundación|fondazione|fundação",
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
