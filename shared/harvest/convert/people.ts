import type { DataField, Subfield } from "../../marc/record.ts";
import type { Authorities, IdentifiedAuthority } from "./authorities.ts";
import { findOrcid, type Orcids } from "./orcids.ts";
import { authorityLookupName, invertedName, isRegnalName, type PersonName } from "./person-names.ts";

/** A contributor to an article. */
export interface Person extends PersonName {
  relator?: string;
  /** Whether it is a body, whose name is in `firstName`. */
  isBody: boolean;
}

/** Returns the person's record in the authority file (GND). */
export function findAuthority(person: Person, authorities: Authorities): IdentifiedAuthority | undefined {
  const name = authorityLookupName(person);
  const authority = name === undefined ? undefined : authorities.get(name);
  return authority?.type === "identified" ? authority : undefined;
}

/** Returns a warning for each name whose lookup failed. */
export function describeFailedLookups(people: readonly Person[], authorities: Authorities): string[] {
  return [...new Set(people.map(authorityLookupName))].flatMap((name) => {
    const authority = name === undefined ? undefined : authorities.get(name);
    return authority?.type === "failed" ? [`"${name}" could not be looked up: ${authority.reason}`] : [];
  });
}

/**
 * Builds 100 for the first person, or 110 if it is a body, and 700 or 710 for each further one. $0 contains the
 * authority number or, if there is none, the ORCID iD. The title of a pope or monarch comes from the authority file.
 */
export function buildPersonFields(
  people: readonly Person[],
  authorities: Authorities,
  orcids: Orcids,
): DataField[] {
  return people.map((person, index) => {
    if (person.isBody) return buildBodyField(person, index === 0 ? "110" : "710");
    const subfields: Subfield[] = [];
    const { number, title } = findAuthority(person, authorities) ?? {};
    const orcid = findOrcid(person, orcids);
    if (number !== undefined) subfields.push(["0", `(DE-588)${number}`]);
    else if (orcid !== undefined) subfields.push(["0", `(orcid)${orcid}`]);
    if (person.relator) subfields.push(["4", person.relator]);
    subfields.push(["a", invertedName(person)]);
    if (person.affix) subfields.push(["b", `${person.affix}.`]);
    const isRegnal = isRegnalName(person);
    if (person.title) subfields.push(["c", person.title]);
    if (isRegnal && title !== undefined) subfields.push(["c", title]);
    subfields.push(["e", "VerfasserIn"]);
    return [index === 0 ? "100" : "700", isRegnal ? "0 " : "1 ", subfields];
  });
}

function buildBodyField({ firstName, relator }: Person, tag: string): DataField {
  return [tag, "2 ", [...(relator ? [["4", relator] satisfies Subfield] : []), ["a", firstName]]];
}

/** Builds 887 for each linked person, which states that a program made the link. */
export function buildAuthorityLinkFields(
  people: readonly Person[],
  authorities: Authorities,
  mark: string | undefined,
): DataField[] {
  return people
    .filter((person) => findAuthority(person, authorities) !== undefined)
    .map((person) => [
      "887",
      "  ",
      [
        ["a", `Autor in der Zoterovorlage [${invertedName(person)}] maschinell zugeordnet`],
        ...(mark === undefined ? [] : [["2", mark] satisfies Subfield]),
      ],
    ]);
}
