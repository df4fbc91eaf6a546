import { filterKeys, groupFilterKeys } from "../../shared/records/sources/conf/keys/filter-keys.ts";
import { globalKeys } from "../../shared/records/sources/conf/keys/global-keys.ts";
import { groupKeys, subgroupKeys } from "../../shared/records/sources/conf/keys/group-keys.ts";
import { journalKeys } from "../../shared/records/sources/conf/keys/journal-keys.ts";
import type { DocumentedKey, SectionKeys } from "../../shared/records/sources/conf/keys/key-table.ts";
import { effectWithoutList } from "../../shared/records/sources/conf/list-warnings.ts";
import { supportedConversions } from "../../shared/records/sources/date-format.ts";
import { listFileNames } from "../../shared/records/sources/list-files.ts";
import { operatorFields } from "../../shared/records/sources/operator-fields.ts";

/** Generates `docs/configuration.md` from the tables of keys. */
export function configurationPage(): string {
  return `${[
    introduction,
    "## Global section",
    "These keys come before the first header.",
    keyTable(withoutFilters(globalKeys)),
    "## Groups",
    "A group is an institution that gets records. The header is the name of the group. Every 001 and every file name begins with this name.",
    keyTable(withoutFilters(groupKeys)),
    "## Subgroups",
    "A subgroup has a separate address for author lookups. Its section may have the other keys of a group, but they have no effect.",
    keyTable(withoutFilters(subgroupKeys)),
    "## Journals",
    "Every other section is a journal. The header is the title of the journal, as in 773 `$t`.",
    keyTable(withoutFilters(journalKeys)),
    filters,
    keyTable(filterKeys.rows),
    languages,
    dateFormats,
    regularExpressions,
    lists,
    operators,
    exportText,
    differences,
  ].join("\n\n")}\n`;
}

const introduction = `# Configuration

<!-- Generated from shared/records/sources by \`npm run docs\`; edit the tables of keys there. -->

Ingather reads the configuration file of the Zotero Harvester, \`zotero_harvester.conf\`. The
[tutorial](tutorial.md#3-configure-it) shows how to build a first configuration from \`docs/example.conf\`.

## Import

\`\`\`sh
npx ingather import X.conf --dry-run
npx ingather import X.conf
\`\`\`

The import reads the file and its [lists](#lists), compares them with the stored configuration, and writes the
differences. \`--dry-run\` prints the changes and writes nothing. Operators can also send the file to
[\`POST /config/import\`](api.md).

- **Problems** of a journal cause the import to skip the journal. If the journal is already stored, its stored version is
  kept. All other journals are imported. The output lists each problem with its line, and each skipped journal; the exit
  code is 3. While a section has a problem, the import removes nothing, because a damaged file may also be missing other
  sections. With \`--allow-removals\`, the import removes journals and groups, but still keeps the journals whose sections
  have problems. If the global section, a group or a subgroup has a problem, the whole file is refused.
- **Warnings** do not skip a journal. Unknown keys, invalid fields in \`add_marc_field_NAME\`, and unknown date formats and
  locales are ignored with a warning. Implausible values, such as an ISSN with a wrong check digit, are accepted with a
  warning.
- **\`--strict\`** (\`strict=true\` in the API): any problem, even an invalid field or date format, causes the import to refuse
  the whole file.
- **Large imports**: if an import through the API has more than 500 changes, the response is 202 and the import is applied
  afterwards. It resumes after a crash. \`GET /config/imports/{id}\` has the progress, and at the end the items that could
  not be written.
- **Versions**: each import that changes something is a version. A version stores the previous content of each changed
  item.
- **Removals**: an import removes the journals that are no longer in the file. Some removals need \`--allow-removals\`,
  because a truncated file would cause them, too. These are the removal of more than 5 journals, if they are more than a
  tenth of all, and the removal of a group that has a receiver.
- **Kept**: an import keeps the fields that only operators can set ([below](#what-operators-set)). If it removes a journal
  or group with such fields, a warning names them.
- **One at a time**: while an import is in progress, a second import exits with code 2. A running \`npm start\` locks its
  state folder: send the file to its API, or stop \`npm start\` first.

## Format

\`\`\`ini
# a comment
key = value          # also after a value
pages_not_online_first

[Journal of Examples]
zotero_review_regex = "review # \\"quoted\\""
\`\`\`

- Keys are case-sensitive. A key may appear only once in a section. A key without \`=\` means \`true\`.
- \`yes\`, \`on\` and \`1\` mean \`true\`; \`no\`, \`off\` and \`0\` mean \`false\`. All other numbers are whole numbers, 0 or more.
- A value that contains \`#\` or \`"\`, or that begins or ends with a space, needs double quotes. Within the quotes, \`\\n\`,
  \`\\"\`, \`\\\\\`, \`\\037\` (octal), \`\\x1f\` and \`\\u00e4\` are escapes.
- A key with an empty value in quotes (\`print_issn = ""\`) counts as absent. A key with \`=\` but without a value is a problem.
- Outside quotes, \`#\` begins a comment unless a backslash precedes it.
- A backslash at the end of a line continues the line. This also applies to comments.`;

function withoutFilters(keys: SectionKeys): DocumentedKey[] {
  return keys
    .filter((table) => table !== filterKeys && table !== groupFilterKeys)
    .flatMap((table) => table.rows);
}

function keyTable(rows: readonly DocumentedKey[]): string {
  const lines = rows.map(({ key, meaning, values, isRequired, default: standard, example }) => {
    const fallback = isRequired ? "required" : codeOf(standard);
    return [codeOf(key), meaning, values, fallback, codeOf(example)];
  });
  return markdownTable(["key", "meaning", "values", "default", "example"], lines);
}

function codeOf(text: string | undefined): string {
  return text ? `\`${text}\`` : "";
}

/** Escapes vertical bars, which end a table cell even in code. */
function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

const filters = `## Filters

Filters change or drop articles and records. The global section can have filters (for all journals), and so can journals.
Groups can have \`add_marc_field_NAME\`. Filters are applied by kind, in this order: suppress, override, exclude by item,
add, remove field, remove subfield, rewrite, add if, rewrite if, exclude by record. Within a kind, the filters of the
global section are applied first.

The end of a key is the target of the filter. \`FIELD\` is a field of the Zotero item. \`TAG\` is a MARC tag, with or without
the code of a subfield (\`245\`, \`245a\`); \`TAGC\` needs the code. \`NAME\` is any text that makes the keys of a section unique.
In a value, \`tested\` is a tag, with or without a code, and \`pattern\` is a [regular expression](#regular-expressions). In a
replacement, \`\\1\` stands for the first group of the pattern, and \`\\037\` begins a subfield. Filters ignore control fields
(00X).`;

const languages = `## Expected languages

A value has the form \`[mark][text:]code,code\`. Examples are \`eng\`, \`?abstract:eng,ger\` and \`!ger\`.

| mark | the language of a record |
|---|---|
| none | the language of the item, if it agrees with the expected language (one code) or the detected language (several codes) |
| \`?\` | the detected language, if it is expected |
| \`!\` | all expected languages |
| \`=\` | the languages of the item, if all of them are expected |

The language is detected from the \`title\` (default), the \`abstract\`, or \`title+abstract\`. Codes are MARC or ISO 639-1
codes.`;

const dateFormats = `## Date formats

A date that has only one possible reading needs no format: \`2024-04-24\`, also with a time of day, \`2024-04\`, \`2024\`,
\`Wed, 24 Apr 2024 10:00:00 GMT\`, \`24 April 2024\`, \`24-Apr-2024\`, \`April 24, 2024\`, \`April 2024\`. The names of months may be
English, or in a locale of the journal, an expected language of the journal, or the language of the article. Names in
other European languages are read if they mean the same month in all of these languages: \`24 avril 2024\` is read,
\`3 listopad 2020\` is not.

Seasons, halves, quarters and spans are read as well: \`Spring 2014\`, \`1. Halbjahr 2014\`, \`March-April 2014\`, \`2014/2015\`. A
span of years is written as stated (264 \`$c\` \`2014/2015\`); a winter belongs to the year in which it ends. The formats of a
source are tried before these readings, and the common formats after them.

All other dates need formats. If the date of an article cannot be read, the record has the first plausible year in it (1450
to two years from now), with a warning. An article whose date contains no year is dropped. If an article has no date, the date
of its feed entry is used. If a page states several years, that of its volume comes first, then the year of publication,
then the year in which the article was put online; a warning names the others.

Formats are written as in [strptime](https://pubs.opengroup.org/onlinepubs/9799919799/functions/strptime.html), with these
conversions: ${supportedConversions.map((one) => `\`%${one}\``).join(" ")}.
A format must match the whole date.

Formats always accept English names of months. Locales before the formats of a journal, such as \`(de_DE.UTF-8|fr_FR)\`, add
the names in their languages. An unknown locale is ignored with a warning.`;

const differences = `## Differences from the Zotero Harvester

The same configuration produces the same records, with these exceptions:

- **Dates** that have only one possible reading need no format. If a date cannot be read but contains a year (Easter 2014),
  the record has this year; otherwise the article is dropped (unreadable-date). The date of the feed is used only for articles
  without a date.
- **No date**: the record has no year in 264, 773 and 936, unless \`current_year_if_undated\` is \`true\`.
- **Names** are not divided if the item has them in one field. Bodies are 110 or 710: \`World Health Organization\`, \`Rat der
  EKD\`. They are not looked up in the authority file. A pope or monarch is 100 0_ \`$a\` \`Johannes Paul\` \`$b\` \`II.\`, with
  \`$c\` \`Papst\` only if the authority file has this title. A single name is not preceded by a comma: \`Plato\`. Signs around
  names, such as †, academic titles before them, and places in brackets behind them are removed. Two names in one creator
  (\`Karl Müller and Anna Schmidt\`) are two authors, and a wrong division (\`Smith\` | \`J\`) is corrected. If all words of an author's name are in
  \`author_name_blacklist.txt\`, the author has no field.
- **Licence**: if the configuration has no licence for a journal and the page of an article names a free licence
  (\`dc.rights\`, \`citation_license\`, \`link rel=license\`, JSON-LD), 856 \`$z\` is LF.
- **Links**: 856 \`$u\` has no tracking parameters such as \`utm_source\`.
- **Pages that the translation server cannot translate** (\`webpage\`) are read by Ingather itself.
- **Lists and searches**: an article without a separate URL is identified by its DOI, or else by its content, but never by
  the address of the list.`;

const regularExpressions = `## Regular expressions

The syntax is [RE2](https://github.com/google/re2/wiki/Syntax): no lookarounds, no back-references inside a pattern, no
possessive quantifiers. An expression matches anywhere in the text unless it has \`^\` or \`$\`. \`(?i)\` ignores case.`;

const lists = `## Lists

Lists are three files in the folder that \`enhancement_maps_directory\` or \`--maps\` names. If a file is missing, the
stored list is kept. An empty file removes all entries of the list, with a warning.

${markdownTable(
  ["file", "content", "effect without the list"],
  [
    [
      listFileNames.nameBlacklist,
      "words that are not part of names, one per line",
      effectWithoutList.nameBlacklist,
    ],
    [
      listFileNames.genreKeywords,
      "keywords that are written to 655, one per line",
      effectWithoutList.genreKeywords,
    ],
    [listFileNames.licences, "`ISSN=l` for a free journal, one per line", effectWithoutList.licences],
  ].map(([file = "", ...cells]) => [codeOf(file), ...cells]),
)}

In the first two files, \`#\` begins a comment line.`;

const operators = `## What operators set

The configuration file has no keys for these fields. Imports keep the fields, and exports omit them.

Fields of a journal, set with \`PATCH /sources/{id}\`:

${markdownTable(
  ["field", "meaning"],
  operatorFields.source.map(({ path, meaning }) => [codeOf(path), meaning]),
)}

Fields of a group: set \`destination\` and \`recordsPerFile\` with \`PUT /groups/{id}/delivery\`. Set the other fields in the
group's item of the table \`ingather-configuration\`. For a new group with the name \`IxTheo\` or \`KrimDok\`, an import sets
the last four fields, except \`localMark\` of \`KrimDok\`.

${markdownTable(
  ["field", "meaning"],
  operatorFields.group.map(({ path, meaning }) => [codeOf(path), meaning]),
)}`;

const exportText = `## Export

\`npx ingather export\` writes the stored configuration to standard output. If you import this output, nothing changes.
The format cannot express the fields above, the lists, journals without a Zeder id, and groups without a lookup address:
the command lists these on standard error.`;
