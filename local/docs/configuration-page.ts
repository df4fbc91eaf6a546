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
    "These keys are before the first header.",
    keyTable(withoutFilters(globalKeys)),
    "## Groups",
    "A group is an institution that gets records. The header is its name, which begins every 001 and every file name.",
    keyTable(withoutFilters(groupKeys)),
    "## Subgroups",
    "A subgroup looks authors up elsewhere. Its section may have the other keys of a group; they have no effect.",
    keyTable(withoutFilters(subgroupKeys)),
    "## Journals",
    "Every other section is a journal. The header is its title, as in 773 `$t`.",
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

Ingather reads the configuration of the Zotero Harvester, a \`zotero_harvester.conf\`. The
[tutorial](tutorial.md#3-configure-it) builds a first one from \`docs/example.conf\`.

## Import

\`\`\`sh
npx ingather import X.conf --dry-run
npx ingather import X.conf
\`\`\`

The import reads the file and its [lists](#lists), compares them with the stored configuration, and writes what differs.
\`--dry-run\` prints the changes and writes nothing. Operators can also send the file to
[\`POST /config/import\`](api.md).

- **Problems** of a journal skip it: the stored journal is not changed, or none is added. The others are imported. The outcome
  lists each problem with its line, and each skipped journal; the exit code is 3. While a section has a problem,
  nothing is removed except with \`--allow-removals\`, which still keeps the journals of such sections. A problem of the
  global section, of a group or of a subgroup refuses the whole file.
- **Warnings** skip nothing else. Unknown keys, bad fields of \`add_marc_field_NAME\`, and unknown date formats and
  locales are ignored with a warning. Implausible values, such as an ISSN with a wrong check digit, are accepted
  with one.
- **\`--strict\`** (\`strict=true\` in the API) refuses the whole file for any problem, also for a bad field or date format.
- **Large imports**: through the API, an import with more than 500 changes gets the response 202 and is applied afterwards, also
  after a crash. \`GET /config/imports/{id}\` has the progress, and in the end what could not be written.
- **Versions**: each import that changes something is a version. It stores the previous content of each changed item.
- **Removals**: a journal that is no longer in the file is removed. More than 5 journals that are more than a tenth of
  all, or a group with a receiver of its own, are removed only with \`--allow-removals\`, because a truncated file looks
  the same.
- **Kept**: what operators set beyond the file ([below](#what-operators-set)) stays. A warning names it when its journal
  or group is removed.
- **One at a time**: a second import at the same time exits with 2. A running \`npm start\` holds its state
  folder: send the file to its API, or stop it first.

## Format

\`\`\`ini
# a comment
key = value          # also after a value
pages_not_online_first

[Journal of Examples]
zotero_review_regex = "review # \\"quoted\\""
\`\`\`

- Keys are case-sensitive. A key may appear once in a section. A key alone means \`true\`.
- \`yes\`, \`on\` and \`1\` mean \`true\`; \`no\`, \`off\` and \`0\` mean \`false\`. Other numbers are whole and not negative.
- A value with \`#\`, \`"\` or spaces at its ends needs double quotes. In them, \`\\n\`, \`\\"\`, \`\\\\\`, \`\\037\` (octal), \`\\x1f\` and
  \`\\u00e4\` are escapes.
- A key with an empty value in quotes (\`print_issn = ""\`) counts as absent. A key without any value is a problem.
- Outside quotes, \`#\` begins a comment unless a backslash is before it.
- A backslash at the end of a line continues the line. This applies to comments, too.`;

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

Filters change or drop articles and records. They are in the global section (for all journals) and in journals; groups
may have \`add_marc_field_NAME\`. Those of the global section come first. They are applied by kind: suppress, override,
exclude by item, then add, remove field, remove subfield, rewrite, add if, rewrite if, exclude by record.

The end of a key is its target. \`FIELD\` is a field of the Zotero item. \`TAG\` is a MARC tag, with or without the code of a
subfield (\`245\`, \`245a\`); \`TAGC\` needs the code. \`NAME\` is any text that keeps the keys of a section apart. \`tested\` in a
value is a tag, with or without a code. \`pattern\` is a [regular expression](#regular-expressions). In a replacement, \`\\1\`
stands for the first group of the pattern, \`\\037\` begins a subfield. Filters ignore control fields (00X).`;

const languages = `## Expected languages

\`[mark][text:]code,code\`, for instance \`eng\`, \`?abstract:eng,ger\`, \`!ger\`.

| mark | the language of a record |
|---|---|
| none | the item's language if it is the expected or the detected one |
| \`?\` | the detected one |
| \`!\` | all expected ones |
| \`=\` | the item's languages if all of them are expected |

The text from which the language is detected is \`title\` (default), \`abstract\` or \`title+abstract\`. Codes are MARC or
ISO 639-1 codes.`;

const dateFormats = `## Date formats

Dates that can be read in one way only need no format: \`2024-04-24\`, also with a time of day, \`2024-04\`, \`2024\`,
\`Wed, 24 Apr 2024 10:00:00 GMT\`, \`24 April 2024\`, \`24-Apr-2024\`, \`April 24, 2024\`, \`April 2024\`. Names of months are
English, in the locales of the journal, in its expected languages or in the article's language. Others are read when they
are those of one month in all languages of Europe: \`24 avril 2024\` is, \`3 listopad 2020\` is not. Formats are for all other
dates. If an article's date cannot be read, its record has the date of the feed entry, with a warning; if there is
none either, the article is dropped.

Formats as in [strptime](https://pubs.opengroup.org/onlinepubs/9799919799/functions/strptime.html), with these
conversions: ${supportedConversions.map((one) => `\`%${one}\``).join(" ")}.
A format must fit the whole date. A missing month or day is the first.

In formats, too, English names of months are always read. Locales such as \`(de_DE.UTF-8|fr_FR)\` before the formats of a journal add their
names. An unknown locale is left out with a warning.`;

const differences = `## Differences from the Zotero Harvester

The same configuration yields the same records, except:

- **Dates** that can be read in one way only need no format. An unreadable date gives its year, if it has one
  (Spring 2014); else the article is dropped (unreadable-date). The feed's date is for articles without one.
- **No date**: the record has no year in 264, 773 and 936, unless \`current_year_if_undated\` is \`true\`.
- **Names** that the item gives as one field, and those that are plainly of bodies, stay whole: 100 \`$a\` \`World Health
  Organization\`. They are not looked up in the authority file. A single name has no comma before it: \`Plato\`. Signs around
  names, such as †, are removed. An author without a word outside \`author_name_blacklist.txt\` has no field.
- **Licence**: without a licence in the configuration, a free licence that the page states (\`dc.rights\`,
  \`citation_license\`, \`link rel=license\`, JSON-LD) is LF in 856 \`$z\`.
- **Links**: 856 \`$u\` has no tracking parameters such as \`utm_source\`.
- **Pages that the translation server cannot translate** (\`webpage\`) are read by Ingather itself.
- **Lists and searches**: an article without a URL of its own is known by its DOI, else by its content, never by the
  address of the list.`;

const regularExpressions = `## Regular expressions

Syntax is [RE2](https://github.com/google/re2/wiki/Syntax): no lookarounds, no back-references inside a pattern, no
possessive quantifiers. An expression matches anywhere unless it has \`^\` or \`$\`. \`(?i)\` ignores case.`;

const lists = `## Lists

Lists are three files in the folder that \`enhancement_maps_directory\` or \`--maps\` names. If a file is missing, the
stored list stays. An empty file empties the list, with a warning.

${markdownTable(
  ["file", "content", "without it"],
  [
    [
      listFileNames.nameBlacklist,
      "words that are not part of a name, one per line",
      effectWithoutList.nameBlacklist,
    ],
    [listFileNames.genreKeywords, "keywords that go to 655, one per line", effectWithoutList.genreKeywords],
    [listFileNames.licences, "`ISSN=l` for a free journal, one per line", effectWithoutList.licences],
  ].map(([file = "", ...cells]) => [codeOf(file), ...cells]),
)}

In the first two, \`#\` begins a comment line.`;

const operators = `## What operators set

The file has no keys for these fields. Imports keep them, exports omit them.

Of a journal, with \`PATCH /sources/{id}\`:

${markdownTable(
  ["field", "meaning"],
  operatorFields.source.map(({ path, meaning }) => [codeOf(path), meaning]),
)}

Of a group: \`destination\` and \`recordsPerFile\` with \`PUT /groups/{id}/delivery\`, the others in its item of the table
\`ingather-configuration\`. An import sets the last four of a new group that is named \`IxTheo\` or \`KrimDok\`.

${markdownTable(
  ["field", "meaning"],
  operatorFields.group.map(({ path, meaning }) => [codeOf(path), meaning]),
)}`;

const exportText = `## Export

\`npx ingather export\` writes the stored configuration to standard output. Imported again, it changes nothing. Standard error
lists what the format cannot express: the fields above, the lists, journals without a Zeder id, and groups
without a lookup address.`;
