import type { Filters } from "../../filters.ts";
import {
  conditionalRewrite,
  type FilterForm,
  fieldTest,
  jsonReplacement,
  jsonTest,
  newField,
  rewrite,
  subfieldTest,
} from "./filter-forms.ts";
import type { DocumentedKey, Entries, KeyTable } from "./key-table.ts";

type FilterKind = keyof Filters;

type FilterKey = {
  [Kind in FilterKind]: Omit<DocumentedKey, "values"> & {
    kind: Kind;
    form: FilterForm<Filters[Kind][number]>;
    isForGroups?: true;
    /** Set when an invalid filter is left out with a warning, because its section can be used without it. */
    isSkippedIfBad?: true;
  };
}[FilterKind];

/** The keys, in the order of an export. */
const keys: readonly FilterKey[] = [
  {
    key: "suppress_json_field_FIELD",
    kind: "suppressJson",
    form: jsonTest,
    meaning: "Empties a field of the Zotero item when its value matches.",
    example: "suppress_json_field_pages = ^e\\d+$",
  },
  {
    key: "override_json_field_FIELD",
    kind: "overrideJson",
    form: jsonReplacement,
    meaning: "Replaces the value of a field of the Zotero item. `%org%` stands for the previous value.",
    example: "override_json_field_pages = 1-%org%",
  },
  {
    key: "exclude_if_json_field_FIELD",
    kind: "excludeJson",
    form: jsonTest,
    meaning: "Drops an article when a field of its Zotero item matches.",
    example: "exclude_if_json_field_title = (?i)^editorial board",
  },
  {
    key: "add_marc_field_NAME",
    kind: "addFields",
    form: newField,
    isForGroups: true,
    isSkippedIfBad: true,
    meaning:
      "Adds a field. `%key%` stands for a note of the item with this key. If the item has several such notes, one field is added for each.",
    example: 'add_marc_field_520 = "5203 \\037a%abs%"',
  },
  {
    key: "remove_marc_field_TAGC",
    kind: "removeFields",
    form: subfieldTest,
    meaning: "Removes a field when its subfield matches.",
    example: "remove_marc_field_650a = (?i)^general$",
  },
  {
    key: "remove_marc_subfield_TAGC",
    kind: "removeSubfields",
    form: subfieldTest,
    meaning: "Removes a subfield that matches.",
    example: "remove_marc_subfield_936h = ^e",
  },
  {
    key: "exclude_if_marc_field_TAG",
    kind: "excludeMarc",
    form: fieldTest,
    meaning: "Drops a record when the field or subfield matches.",
    example: "exclude_if_marc_field_245a = ^(Front|Back) ?Matter$",
  },
  {
    key: "rewrite_marc_field_TAG",
    kind: "rewriteFields",
    form: rewrite,
    meaning: "Replaces the first match in a field or subfield.",
    example: "rewrite_marc_field_245a = ^Review: (.*) ||| \\1",
  },
  {
    key: "add_marc_field_if_TAG",
    kind: "addFieldsIf",
    form: conditionalRewrite,
    meaning:
      "Adds a field for each tested field or subfield that matches. Its value is the tested value with the first match replaced.",
    example: "add_marc_field_if_655 = 245a:^Review.* ||| Review",
  },
  {
    key: "rewrite_marc_field_if_TAG",
    kind: "rewriteFieldsIf",
    form: conditionalRewrite,
    meaning:
      "Replaces the value of a field or subfield if the tested value matches. The new value is the tested value with the first match replaced.",
    example: "rewrite_marc_field_if_264c = 773g:year:(\\d{4}).* ||| \\1",
  },
];

const named = keys.map((row) => {
  const [placeholder = ""] = /[A-Z]+$/.exec(row.key) ?? [];
  return { ...row, prefix: row.key.slice(0, -placeholder.length) };
});

/** The longer of two prefixes comes first. */
const byPrefixLength = named.toSorted((a, b) => b.prefix.length - a.prefix.length);

type NamedKey = (typeof named)[number];

function findFilterKey(key: string): NamedKey | undefined {
  return byPrefixLength.find(({ prefix }) => key.startsWith(prefix));
}

function parseFilter({ form, prefix }: NamedKey, key: string, value: string) {
  return form.parse(key.slice(prefix.length), value);
}

function isBad(filter: ReturnType<typeof parseFilter>): filter is { problem: string } {
  return typeof filter === "object" && "problem" in filter;
}

/** Filters of the global section and of journals, in the field `filters`. */
export const filterKeys: KeyTable = filterTable(() => true, "filters");

/** Filters of groups, in fields of the group itself. */
export const groupFilterKeys: KeyTable = filterTable(({ isForGroups }) => isForGroups === true, undefined);

/** Builds the table of keys that may be repeated. The part of a key after the prefix belongs to the filter. */
function filterTable(isAllowed: (row: NamedKey) => boolean, field: "filters" | undefined): KeyTable {
  const rows = named.filter(isAllowed);
  const find = (key: string) => {
    const found = findFilterKey(key);
    return found !== undefined && isAllowed(found) ? found : undefined;
  };
  return {
    rows: rows.map(({ form, ...row }) => ({ ...row, values: form.values })),
    has: (key) => find(key) !== undefined,
    read(reader) {
      const filters: Partial<Record<FilterKind, unknown[]>> = {};
      for (const [key, { value }] of reader.entries) {
        const found = find(key);
        if (found === undefined) continue;
        const filter = parseFilter(found, key, value);
        if (!isBad(filter)) {
          filters[found.kind] ??= [];
          filters[found.kind]?.push(filter);
        } else if (found.isSkippedIfBad) reader.skip(key, filter.problem);
        else reader.refuse(key, filter.problem);
      }
      return field === undefined ? filters : { [field]: filters };
    },
    print(item) {
      const filters = (field === undefined ? item : (item as Record<string, unknown>)[field]) as Filters;
      return rows.flatMap(
        ({ kind, prefix, form }): Entries =>
          filters[kind].map((filter, index) => {
            const [name, value] = form.print(filter as never, index);
            return [prefix + name, value];
          }),
      );
    },
    /** The filters of a kind are in the order of the section, without the filters that are left out. */
    buildLookup(entries) {
      const used = [...entries].filter(([key, { value }]) => {
        const found = find(key);
        return found !== undefined && !isBad(parseFilter(found, key, value));
      });
      const byKind = Map.groupBy(
        used.map(([key]) => key),
        (key): PropertyKey | undefined => find(key)?.kind,
      );
      return (path) => {
        const [kind, index] = field === undefined ? path : path[0] === field ? path.slice(1) : [];
        return kind === undefined ? undefined : byKind.get(kind)?.[Number(index)];
      };
    },
  };
}
