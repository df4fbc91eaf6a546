import { isRorId } from "../../../identifiers/ror.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import { modsChildren, modsPath, modsTexts } from "./mods-values.ts";
import { type NameKind, type ResourceName, readName } from "./names.ts";

/**
 * The relator codes by terms that are common in repositories.
 * @see https://www.loc.gov/marc/relators/relaterm.html
 */
const codesByTerm: ReadonlyMap<string, string> = new Map(
  (
    "author:aut,creator:cre,contributor:ctb,editor:edt,translator:trl,illustrator:ill,artist:art,photographer:pht," +
    "composer:cmp,thesis advisor:ths,advisor:ths,degree grantor:dgg,publisher:pbl,compiler:com,collector:col," +
    "interviewer:ivr,interviewee:ive,performer:prf,director:drt,producer:pro,cartographer:ctg,engraver:egr,printer:prt," +
    "sponsor:spn,funder:fnd,host institution:his,issuing body:isb,originator:org,donor:dnr,former owner:fmo,narrator:nrt," +
    "speaker:spk,conductor:cnd,lyricist:lyr,architect:arc,designer:dsr,researcher:res,reviewer:rev,author of introduction:aui"
  )
    .split(",")
    .map((pair) => pair.split(":") as [string, string]),
);

const kinds: ReadonlyMap<string, NameKind> = new Map([
  ["personal", "personal"],
  ["family", "personal"],
  ["corporate", "corporate"],
  ["conference", "conference"],
]);

const creatorCodes: ReadonlySet<string> = new Set(["aut", "cre", "art", "cmp", "pht", "ctg"]);

/** Returns the names of a resource, in the order of the document. */
export function modsNames(parent: XmlElement): ResourceName[] {
  return modsChildren(parent, "name").flatMap((name) => readModsName(name) ?? []);
}

/**
 * Returns whether a name belongs to a creator, for 1XX. This is decided by its role or, if roles are missing, by its
 * position.
 */
export function isModsCreator({ codes, terms = [] }: ResourceName): boolean {
  return codes.some((code) => creatorCodes.has(code)) || (codes.length === 0 && terms.length === 0);
}

/**
 * Reads a name. The kind of a name without a type is decided as in Dublin Core.
 * @returns undefined when the name has no text
 */
export function readModsName(name: XmlElement): ResourceName | undefined {
  const parts = modsChildren(name, "namePart");
  const of = (type: string | undefined) =>
    parts
      .filter(({ attributes }) => attributes.type === type)
      .map(({ text }) => text.trim())
      .filter(Boolean);
  const plain = of(undefined);
  const isInRor = isRorId(name.attributes.valueURI ?? "");
  const stated = kinds.get(name.attributes.type ?? "") ?? (isInRor ? "corporate" : undefined);
  const hasParts = ["family", "given", "termsOfAddress"].some((type) => of(type).length > 0);
  const read = stated === undefined && !hasParts ? readName(plain.join(" ")) : undefined;
  const kind = stated ?? read?.kind ?? "personal";
  const { codes, terms } = rolesOf(name);
  const common = {
    codes,
    terms,
    affiliations: modsTexts(name, "affiliation"),
    authority: name.attributes.valueURI,
  };
  if (kind !== "personal") {
    const [first, ...units] = kind === "uncontrolled" ? [plain.join(" ")] : plain;
    return first === undefined ? undefined : { kind, name: first, units, ...common };
  }
  const family = of("family").join(" ");
  const given = of("given").join(" ");
  const whole =
    family === "" ? [...plain, given].filter(Boolean).join(" ") : [family, given].filter(Boolean).join(", ");
  if (whole === "") return undefined;
  const [dates] = of("date");
  return {
    kind,
    name: read?.name ?? whole,
    titles: of("termsOfAddress"),
    ...(dates !== undefined && { dates }),
    ...common,
  };
}

/** Returns the codes, including those of known terms, and the other terms. */
function rolesOf(name: XmlElement): { codes: string[]; terms: string[] } {
  const codes: string[] = [];
  const terms: string[] = [];
  for (const { text, attributes } of modsPath(name, "role", "roleTerm")) {
    const term = text.trim();
    const code =
      attributes.type === "code" || /^[a-z]{3}$/.test(term)
        ? term
        : codesByTerm.get(term.toLowerCase().replace(/\.$/, ""));
    if (code !== undefined) codes.push(code);
    else if (term !== "") terms.push(term);
  }
  return { codes: [...new Set(codes)], terms: [...new Set(terms)] };
}
