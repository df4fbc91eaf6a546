import type { DataField } from "../../../marc/record.ts";
import type { XmlElement } from "../../../xml/xml-tree.ts";
import { marcField, repeated } from "./marc-fields.ts";
import { modsChildren, modsTexts, textsOf } from "./mods-values.ts";

type Subfields = Parameters<typeof marcField>[2][];

/** The tag and first indicator by the type of a title. */
const tagsByType: ReadonlyMap<string, readonly [tag: string, first: string]> = new Map([
  ["abbreviated", ["210", "1"]],
  ["translated", ["242", "1"]],
  ["alternative", ["246", "3"]],
]);

/**
 * Builds the fields of 1XX and 2XX for titles.
 * @param hasMainEntry whether the record has 100, 110 or 111
 */
export function modsTitleFields(mods: XmlElement, hasMainEntry: boolean): DataField[] {
  const infos = modsChildren(mods, "titleInfo");
  const uniform = infos.filter(({ attributes }) => attributes.type === "uniform");
  const main = mainTitle(mods);
  const responsibility = modsChildren(mods, "note").filter(
    ({ attributes }) => attributes.type === "statement of responsibility",
  );
  return infos.flatMap((info) => {
    const skip = String(nonSortLength(info));
    if (info === main) {
      return marcField(
        "245",
        `${hasMainEntry ? "1" : "0"}${skip}`,
        ...titleSubfields(info),
        ...repeated("c", textsOf(responsibility).slice(0, 1)),
      );
    }
    if (info === uniform[0]) {
      return hasMainEntry
        ? marcField("240", `1${skip}`, ...titleSubfields(info))
        : marcField("130", `${skip} `, ...titleSubfields(info));
    }
    if (info.attributes.type === "uniform") return marcField("730", `${skip} `, ...titleSubfields(info));
    const [tag, first] = tagsByType.get(info.attributes.type ?? "") ?? ["246", "3"];
    return marcField(tag, `${first}${tag === "242" ? skip : " "}`, ...titleSubfields(info));
  });
}

/** Returns the title proper, which is the first title without a type or, if all have types, the first title. */
export function mainTitle(mods: XmlElement): XmlElement | undefined {
  const infos = modsChildren(mods, "titleInfo").filter((info) => modsTexts(info, "title").length > 0);
  return infos.find(({ attributes }) => attributes.type === undefined) ?? infos[0];
}

/** Returns $a, $b, $n and $p. */
export function titleSubfields(info: XmlElement): Subfields {
  return [
    ["a", titleText(info)],
    ...repeated("b", modsTexts(info, "subTitle")),
    ...repeated("n", modsTexts(info, "partNumber")),
    ...repeated("p", modsTexts(info, "partName")),
  ];
}

/**
 * Returns the title with its article. `The` and `Everglades` are two words, even if nonSort does not end with a blank.
 */
export function titleText(info: XmlElement): string {
  const [nonSort = ""] = modsTexts(info, "nonSort");
  const [title = ""] = modsTexts(info, "title");
  return nonSort === "" || /['’-]$/.test(nonSort) ? nonSort + title : `${nonSort} ${title}`;
}

/** Returns the number of characters that are skipped in sorting, at most nine. */
function nonSortLength(info: XmlElement): number {
  const [title = ""] = modsTexts(info, "title");
  const length = titleText(info).length - title.length;
  return length > 9 ? 0 : length;
}
