import type { DataField, Subfield } from "../../marc/record.ts";
import type { Authorities } from "./authorities.ts";
import { findOrcid, type Orcids } from "./orcids.ts";
import { authorityLookupName, invertedName, type PersonName } from "./person-names.ts";

/** A contributor to an article. */
export interface Person extends PersonName {
  relator?: string;
}

/** Returns the person's number in the authority file (GND). */
export function findAuthorityNumber(person: Person, authorities: Authorities): string | undefined {
  const name = authorityLookupName(person);
  const authority = name === undefined ? undefined : authorities.get(name);
  return authority?.type === "identified" ? authority.number : undefined;
}

/** Returns a warning for each name whose lookup failed. */
export function describeFailedLookups(people: readonly Person[], authorities: Authorities): string[] {
  return [...new Set(people.map(authorityLookupName))].flatMap((name) => {
    const authority = name === undefined ? undefined : authorities.get(name);
    return authority?.type === "failed" ? [`"${name}" could not be looked up: ${authority.reason}`] : [];
  });
}

/**
 * Builds 100 for the first person, and 700 for each further person. $0 contains the authority number or, if there is
 * none, the ORCID iD.
 */
export function buildPersonFields(
  people: readonly Person[],
  authorities: Authorities,
  orcids: Orcids,
): DataField[] {
  return people.map((person, index) => {
    const subfields: Subfield[] = [];
    const number = findAuthorityNumber(person, authorities);
    const orcid = findOrcid(person, orcids);
    if (number !== undefined) subfields.push(["0", `(DE-588)${number}`]);
    else if (orcid !== undefined) subfields.push(["0", `(orcid)${orcid}`]);
    if (person.relator) subfields.push(["4", person.relator]);
    subfields.push(["a", invertedName(person)]);
    if (person.affix) subfields.push(["b", `${person.affix}.`]);
    if (person.title) subfields.push(["c", person.title]);
    subfields.push(["e", "VerfasserIn"]);
    return [index === 0 ? "100" : "700", "1 ", subfields];
  });
}

/** Builds 887 for each linked person, which states that a program made the link. */
export function buildAuthorityLinkFields(
  people: readonly Person[],
  authorities: Authorities,
  mark: string | undefined,
): DataField[] {
  return people
    .filter((person) => findAuthorityNumber(person, authorities) !== undefined)
    .map((person) => [
      "887",
      "  ",
      [
        ["a", `Autor in der Zoterovorlage [${invertedName(person)}] maschinell zugeordnet`],
        ...(mark === undefined ? [] : [["2", mark] satisfies Subfield]),
      ],
    ]);
}
