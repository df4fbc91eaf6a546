import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { validationRules } from "../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../shared/deliver/validation/rule-set.ts";
import { validateRecord } from "../../../shared/deliver/validation/validate-record.ts";
import type { ZoteroItem } from "../../../shared/formats/zotero-item.ts";
import { convertItems } from "../../../shared/harvest/convert/convert.ts";
import { writtenTags } from "../../../shared/records/written-tags.ts";
import { contextOf, item } from "../harvest/convert/fixtures.ts";

const example = JSON.parse(readFileSync("docs/validation-rules.example.json", "utf8"));
const rules = compileRules(validationRules.parse(example.rules));
const author = (lastName: string) => ({ firstName: "Ada", lastName, creatorType: "author" });
const rich = {
  ...item,
  creators: [author("Miller"), author("Smith jr")],
  abstractNote: "About bees",
  tags: [{ tag: "Honey" }, { tag: "Open Access" }],
};
const review = { settings: { reviewRegex: "Bees" } };
const note = { settings: { notesRegex: "Bees" } };

it.each<[string, ZoteroItem, Parameters<typeof contextOf>[0]]>([
  ["an article", rich, {}],
  ["a review", rich, review],
  ["a note", rich, note],
  ["an article of a source whose pages are final", rich, { source: { pagesNotOnlineFirst: true } }],
  ["another kind of item", { ...rich, itemType: "blogPost" }, {}],
])("%s → has no tags but these, and is valid by the example of rules", (_which, given, context) => {
  const [converted] = convertItems([given], contextOf(context), { today: "2026-11-20" });
  if (converted?.type !== "converted") throw new Error(JSON.stringify(converted));
  const { record } = converted;
  const tags = [...record.control, ...record.fields].map(([tag]) => tag);
  expect(tags.filter((tag) => !writtenTags.includes(tag))).toEqual([]);
  expect(validateRecord(record, { source: "test-7", rules })).toEqual({ outcome: "valid", findings: [] });
});
