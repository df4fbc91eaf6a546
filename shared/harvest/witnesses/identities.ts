import { type FieldProvenance, shortenStatement } from "../../records/origin/provenance.ts";
import type { Authorities } from "../convert/authorities.ts";

/** Returns the origin of the persons' identities, if the authority file knows any of them. */
export function identityProvenance(authorities: Authorities): FieldProvenance[] {
  const known = [...authorities].flatMap(([name, authority]) =>
    authority.type === "identified" ? [`${name}: GND ${authority.number}`] : [],
  );
  if (known.length === 0) return [];
  const value = shortenStatement(known.join("; "));
  return [{ field: "identities", value, witness: "authority-file", others: [] }];
}
