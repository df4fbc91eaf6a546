import { isMarcXml } from "../../../marc/marcxml-record.ts";
import type { DataField } from "../../../marc/record.ts";
import type { Crosswalk } from "../../../records/sources/crosswalk-fields.ts";
import type { Group } from "../../../records/sources/group.ts";
import type { Settings } from "../../../records/sources/settings.ts";
import type { Source } from "../../../records/sources/source.ts";
import { parseXmlTree } from "../../../xml/xml-tree.ts";
import { buildCollectionFields } from "../collection-fields.ts";
import { buildDropped, type Conversion } from "../conversion.ts";
import { finishRecord } from "../finish-record.ts";
import { buildSelectionFields } from "../selection-codes.ts";
import type { CrosswalkResult, DescribedResource } from "./described-resource.ts";
import { describeDublinCore } from "./dublin-core.ts";
import { describeMarcXml } from "./marcxml.ts";
import { describeMods } from "./mods.ts";

interface DocumentContext {
  source: Source;
  group: Group;
  settings: Settings;
  /** The URL $a of a document that contains no page of its own. */
  harvestedUrl: string;
}

type Format = "dublin-core" | "mods" | "marcxml";

/**
 * The formats by the local name of the root element, in lower case. Prefixes are ignored, because each OAI-PMH
 * repository chooses its own.
 */
const formats: ReadonlyMap<string, Format> = new Map([
  ["dc", "dublin-core"],
  ["qualifieddc", "dublin-core"],
  ["qdc", "dublin-core"],
  ["mods", "mods"],
  ["record", "marcxml"],
  ["collection", "marcxml"],
]);

/** Matches the start tag of the root, after the XML declaration, processing instructions and comments. */
const rootName = /^\uFEFF?(?:\s|<\?(?:(?!\?>)[\s\S])*\?>|<!--(?:(?!-->)[\s\S])*-->)*<(?:[\w.-]+:)?([\w.-]+)/;

/**
 * Returns the format of a document that becomes a record.
 * @returns undefined for all other documents
 */
export function crosswalkFormat(raw: string): Format | undefined {
  const format = formats.get(rootName.exec(raw)?.[1]?.toLowerCase() ?? "");
  return format === "marcxml" && !isMarcXml(raw) ? undefined : format;
}

/**
 * Converts the metadata of a document to a MARC-21 record. The record gets the same additional fields, custom fields
 * and filters as the articles of its source.
 * @param raw an XML document of Dublin Core, simple or qualified, MODS or MARCXML
 * @param today YYYY-MM-DD
 */
export function convertDocument(raw: string, context: DocumentContext, today: string): Conversion {
  const format = crosswalkFormat(raw);
  if (format === undefined) return buildDropped("no-crosswalk", rootName.exec(raw)?.[1] ?? raw);
  const described = describe(raw, format, context.source.crosswalk);
  if (described.type === "unreadable") return buildDropped("malformed", described.detail);
  const { resource } = described;
  if (resource.title.trim() === "") return buildDropped("no-title", resource.url ?? context.harvestedUrl);
  const { leader, control, title, doi, date, warnings } = resource;
  const fields = [...resource.fields, ...addedFields(resource, format, context)];
  const isDay = date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date);
  return finishRecord(
    {
      record: { leader, control: [...control, ["003", context.group.isil]], fields },
      title,
      ...(doi !== undefined && { doi }),
      ...(date !== undefined && { date: isDay ? date : `${date}-01-01` }),
      notes: new Map(),
      warnings,
    },
    context,
    today,
  );
}

function describe(raw: string, format: Format, own: Crosswalk | undefined): CrosswalkResult {
  if (format === "marcxml") return describeMarcXml(raw);
  const tree = parseXmlTree(raw, { url: "https://document.invalid/", lenient: false });
  if (tree.type === "broken") return { type: "unreadable", detail: tree.problem };
  return format === "mods" ? describeMods(tree.root) : describeDublinCore(tree.root, own);
}

/**
 * Returns the fields that a record gets from its source. If a record already contains its creator (040) or its
 * language, these fields are kept.
 */
function addedFields(
  { fields, url }: DescribedResource,
  format: Format,
  { source, group, harvestedUrl }: DocumentContext,
): DataField[] {
  const has = (tag: string) => fields.some(([each]) => each === tag);
  const [language, ...others] = source.expectedLanguages?.codes ?? [];
  const isKnown = language !== undefined && others.length === 0 && format !== "marcxml" && !has("041");
  return [
    ...buildCollectionFields(url ?? harvestedUrl, { source, group }).filter(
      ([tag]) => tag !== "040" || !has("040"),
    ),
    ...(isKnown ? ([["041", "  ", [["a", language]]]] satisfies DataField[]) : []),
    ...buildSelectionFields(source, group, false),
  ];
}
