import { collapseSpace } from "../../../formats/plain-text.ts";
import type { DataField } from "../../../marc/record.ts";
import type { CrosswalkTarget, ElementMap } from "../../../records/sources/crosswalk-fields.ts";
import { stripMarkup } from "../strip-markup.ts";
import type { DublinCoreValue } from "./dublin-core-elements.ts";
import { marcField } from "./marc-fields.ts";

const to = (tag: string, indicators = "  ", more: Partial<CrosswalkTarget> = {}): CrosswalkTarget[] => [
  { tag, indicators, code: "a", constants: {}, ...more },
];
const related = (tag: string, indicators: string) => to(tag, indicators, { code: "n" });

/** Elements whose fields are in the order of this table, whatever their order in the document. */
export const notesMap: ElementMap = {
  coverage: to("500"),
  bibliographicCitation: to("524"),
  tableOfContents: to("505", "0 "),
  description: to("520"),
  abstract: to("520", "3 "),
  accessRights: to("506"),
  rightsHolder: to("542", "  ", { code: "d" }),
  audience: to("521"),
  educationLevel: to("521"),
  provenance: to("561"),
  requires: to("538"),
};

/**
 * Elements whose fields are in the order of the document. @see https://www.loc.gov/marc/dccross.html
 */
export const documentMap: ElementMap = {
  alternative: to("246", "33"),
  medium: to("340"),
  spatial: to("651", " 4"),
  temporal: to("648", " 4"),
  rights: to("540", "  ", { urlCode: "u" }),
  license: to("540", "  ", { urlCode: "u" }),
  isReferencedBy: to("510", "0 "),
  relation: related("787", "0 "),
  conformsTo: related("787", "0 "),
  references: related("787", "0 "),
  isRequiredBy: related("787", "0 "),
  hasPart: related("774", "0 "),
  isVersionOf: related("775", "0 "),
  hasVersion: related("775", "0 "),
  isFormatOf: related("776", "0 "),
  hasFormat: related("776", "0 "),
  replaces: related("780", "00"),
  isReplacedBy: related("785", "00"),
};

/** The fields of values whose elements a map has. */
export function mappedFields(values: readonly DublinCoreValue[], map: ElementMap): DataField[] {
  return values.flatMap(({ element, text }) =>
    Object.hasOwn(map, element) ? (map[element] ?? []).flatMap((target) => targetFields(target, text)) : [],
  );
}

/** Texts of the kind of an abstract have no markup, which repositories copy from web pages. */
const textTag = "520";

function targetFields(target: CrosswalkTarget, text: string): DataField[] {
  const { tag, indicators, code, urlCode, separator, constants } = target;
  const parts = separator === undefined ? [text] : text.split(separator);
  return parts.flatMap((part) => {
    const value = tag === textTag ? stripMarkup(part) : collapseSpace(part);
    if (value === "") return [];
    const isUrl = urlCode !== undefined && /^https?:\/\/\S+$/i.test(value);
    return marcField(tag, indicators, [isUrl ? urlCode : code, value], ...Object.entries(constants));
  });
}
