import { formatValue } from "../../core/errors.ts";
import { isBodyName } from "../../formats/body-names.ts";
import { parseSplitName } from "../../formats/creator-names.ts";
import type { ZoteroCreator, ZoteroItem } from "../../formats/zotero-item.ts";
import { findFieldDoi } from "../../identifiers/doi.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";
import { type Notes, readNotes } from "./item-notes.ts";
import { sanitizeText } from "./sanitize-text.ts";
import { stripMarkup } from "./strip-markup.ts";

/** The fields of an item as plain text. A missing field is an empty string. */
export interface Article {
  itemType: string;
  title: string;
  shortTitle: string;
  abstract: string;
  volume: string;
  issue: string;
  pages: string;
  date: string;
  doi: string;
  language: string;
  /** The URL without tracking parameters. */
  url: string;
  rights: string;
  creators: RawCreator[];
  keywords: string[];
  notes: Notes;
}

/** A creator as named in the item. */
interface RawCreator {
  firstName: string;
  lastName: string;
  /**
   * Set when the name was given in a single field, or is the name of a body. The name is unchanged, and `firstName` and
   * `lastName` are empty.
   */
  wholeName?: string;
  isBody: boolean;
  type: string;
}

/** Reads the fields of an item that has its notes attached. */
export function readArticle(item: ZoteroItem, warn: (warning: string) => void): Article {
  const text = (field: string) => readText(item[field], field, warn);
  return {
    itemType: text("itemType"),
    title: text("title"),
    shortTitle: text("shortTitle"),
    abstract: text("abstractNote"),
    volume: text("volume"),
    issue: text("issue"),
    pages: text("pages"),
    date: text("date"),
    doi: readDoi(text("DOI"), warn),
    language: text("language"),
    url: withoutTrackingParameters(readUrl(text("url"), warn)),
    rights: text("rights"),
    creators: readCreators(item, warn),
    keywords: (item.tags ?? []).map(({ tag }) => readText(tag, "tags", warn)).filter(Boolean),
    notes: readNotes(item, warn),
  };
}

/** Reads the DOI. An invalid DOI is dropped, because it would be published in 024 and as a link. */
function readDoi(stated: string, warn: (warning: string) => void): string {
  const doi = findFieldDoi(stated);
  if (doi === undefined && stated !== "") warn(`DOI ${formatValue(stated)} is invalid and was left out`);
  return doi ?? "";
}

/** Reads the URL. A URL that is not http or https is dropped, because it would be published as a link. */
function readUrl(url: string, warn: (warning: string) => void): string {
  if (url === "" || parseWebUrl(url) !== undefined) return url;
  warn(`url ${formatValue(url)} is not an http or https URL and was left out`);
  return "";
}

/** Matches a text that contains only invisible characters, such as U+200B. */
const invisibleText = /^[\s\p{Cf}]*\p{Cf}[\s\p{Cf}]*$/u;

function readCreators(item: ZoteroItem, warn: (warning: string) => void): RawCreator[] {
  const creators: RawCreator[] = [];
  for (const creator of item.creators ?? []) {
    const text = (value: unknown) => readText(value, "creators", warn);
    const type = text(creator.creatorType);
    const names = [creator.firstName, creator.lastName, creator.name].join("");
    if (invisibleText.test(names)) warn("a creator whose name has only invisible characters was left out");
    else if (creator.firstName !== undefined || creator.lastName !== undefined) {
      const name = { firstName: text(creator.firstName), lastName: text(creator.lastName) };
      const parsed = creator.kind === "person" ? [name] : parseSplitName(name);
      creators.push(
        ...parsed.map((one) =>
          "name" in one ? wholeCreator(one.name, type) : { ...one, isBody: false, type },
        ),
      );
    } else if (creator.name !== undefined)
      creators.push(wholeCreator(text(creator.name), type, creator.kind));
    else warn(`a creator without a name was left out: ${JSON.stringify(creator)}`);
  }
  return creators;
}

function wholeCreator(wholeName: string, type: string, kind?: ZoteroCreator["kind"]): RawCreator {
  const isBody = kind === undefined ? isBodyName(wholeName) : kind === "body";
  return { firstName: "", lastName: "", wholeName, isBody, type };
}

function readText(value: unknown, field: string, warn: (warning: string) => void): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? stripMarkup(sanitizeText(value, field, warn)) : "";
}
