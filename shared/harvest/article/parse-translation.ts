// Input: the body and status of a translation server's response. Output: Zotero items, choices or a failure. Called by
// parse-article-content.ts.

import * as z from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import { type Choices, readChoices } from "../../web/translation/choices.ts";
import { attachNotes } from "../convert/item-notes.ts";

type TranslationResult =
  /** Each item has its notes attached. */
  | { type: "items"; items: ZoteroItem[] }
  | { type: "choices"; choices: Choices }
  | { type: "empty" }
  | { type: "untranslated" }
  | { type: "failed"; reason: string };

/** The items are not validated here, because the conversion drops each malformed item separately. */
const itemsSchema = z.array(z.custom<ZoteroItem>(() => true));

const statusMeanings: Readonly<Record<number, string>> = {
  400: "could not load the page",
  500: "failed on the page",
  501: "has no translator for the page",
};

/**
 * Parses the response of the translation server.
 * @param answer.translated the posted data; `cached` means that the response is for a list that offered this page as a
 * choice
 * @see https://github.com/zotero/translation-server#web-translation
 */
export function parseTranslation(answer: {
  status: number;
  bytes: Uint8Array;
  translated: "page" | "choices" | "cached";
  url: string;
  /** Whether the response is for a search, not for the page at `url`. */
  isSearch?: boolean;
}): TranslationResult {
  const { status, url, translated, isSearch = false } = answer;
  if (status !== 200 && status !== 300) {
    const meaning = statusMeanings[status] ?? "refused the page";
    return { type: "failed", reason: `the translation server ${meaning} (status ${status})` };
  }
  if (status === 300) {
    if (translated === "choices") {
      return { type: "failed", reason: "the translation server offers choices of its own choices" };
    }
    const choices = readChoices(answer.bytes);
    return choices === undefined ? unreadableAnswer("choices") : { type: "choices", choices };
  }
  const parsed = itemsSchema.safeParse(parseJson(answer.bytes));
  if (!parsed.success) return unreadableAnswer("items");
  const items = groupNotes(parsed.data);
  const own = translated === "cached" ? items.filter((item) => urlOf(item) === url) : items;
  if (own.length === 0) return { type: "empty" };
  // When the server handles several requests at once, it sometimes mistakes the list itself for the choices.
  if (translated === "choices" && own.length === 1 && urlOf(own[0]) === url) {
    return { type: "failed", reason: "the translation server answered its own choices with the list itself" };
  }
  const isPage = translated === "page" && !isSearch;
  return isPage && own.length === 1 && typeOf(own[0] ?? null) === "webpage"
    ? { type: "untranslated" }
    : { type: "items", items: own };
}

/** Attaches the notes to the item before them. Malformed items are kept without notes, for the conversion to drop. */
function groupNotes(items: ZoteroItem[]): ZoteroItem[] {
  return attachNotes(items).flatMap((one) => {
    if (one.type === "item") return [one.item];
    const item = items[one.index];
    return item === undefined ? [] : [item];
  });
}

function typeOf(item: ZoteroItem | null): string | undefined {
  return item?.itemType;
}

function urlOf(item: ZoteroItem | undefined): string | undefined {
  return item?.url;
}

function unreadableAnswer(what: string): TranslationResult {
  return { type: "failed", reason: `the translation server's response holds no ${what}` };
}
