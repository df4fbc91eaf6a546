import type { RegisteredWork } from "../../formats/registered/registered-work.ts";
import type { Authority } from "../convert/authorities.ts";

/** The answer to a lookup: that of the authority file for a name, or that of a registration agency for a DOI. */
export type LookupAnswer = Authority | { type: "registered"; work: RegisteredWork };
