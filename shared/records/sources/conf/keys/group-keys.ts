import { type Group, group, type Subgroup, subgroup } from "../../group.ts";
import { type FieldKeyOf, fieldKeys } from "./field-keys.ts";
import { groupFilterKeys } from "./filter-keys.ts";
import type { SectionKeys } from "./key-table.ts";
import { text, textOf } from "./value-formats.ts";

const keys: FieldKeyOf<Group>[] = [
  {
    key: "user_agent",
    field: "userAgent",
    format: text,
    isRequired: true,
    meaning: "The `User-Agent` header of requests. Include a page where operators of hosts can contact you.",
    example: '"MyLibrary harvester (+https://library.example/harvester)"',
  },
  {
    key: "isil",
    field: "isil",
    format: text,
    isRequired: true,
    meaning: "The identifier of the library, written to 003 and 852 `$a`.",
    example: "DE-Tue135",
  },
  {
    key: "output_folder",
    field: "outputFolder",
    format: textOf("folder name"),
    isRequired: true,
    meaning: "The folder of the delivered files.",
    example: "ixtheo",
  },
  {
    key: "author_swb_lookup_url",
    field: "authorLookupUrl",
    format: textOf("HTTP URL"),
    isRequired: true,
    meaning: "The address for author lookups, to which `Last, First` is appended.",
    example: "https://authority.example/?name=",
  },
  {
    key: "author_lobid_lookup_query_params",
    field: "authorLobidLookupParams",
    format: text,
    meaning: "Accepted for compatibility, not used.",
  },
];

export const groupKeys: SectionKeys = [fieldKeys(group, keys), groupFilterKeys];

const keysOfSubgroups: FieldKeyOf<Subgroup>[] = [
  {
    key: "author_swb_lookup_url",
    field: "authorLookupUrl",
    format: textOf("HTTP URL"),
    meaning:
      "The address for lookups of the authors of the subgroup's journals, instead of the group's address.",
    example: "https://authority.example/relbib?name=",
  },
];

export const subgroupKeys: SectionKeys = [fieldKeys(subgroup, keysOfSubgroups)];

/** The keys of groups that a subgroup may have, but that have no effect there. */
export const ignoredSubgroupKeys: readonly string[] = keys.map(({ key }) => key);
