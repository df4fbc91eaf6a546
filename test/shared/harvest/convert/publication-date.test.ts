import { describe, expect, it } from "vitest";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { convertItems } from "../../../../shared/harvest/convert/convert.ts";
import { openCorpus } from "../../../corpus.ts";
import { contextOf, fieldsOf, item, today } from "./fixtures.ts";

const corpus = openCorpus("zotero");

describe("the years of a record", () => {
  it.each([
    ["Spring 2014", "2014"],
    ["March-April 2014", "2014"],
    ["Winter 2013/2014", "2014"],
    ["1. Halbjahr 2014", "2014"],
    ["2014/03", "2014"],
    ["2014/2015", "2014/2015"],
    ["2013-2014", "2013/2014"],
    ["2011-11-00", "2011"],
    ["2012/01/00", "2012"],
    ["2014/02/01/", "2014"],
    ["2011 Mar-Apr", "2011"],
    ["September/October 2010", "2010"],
    ["08.11.2011", "2011"],
    ["2014.03", "2014"],
    ["2014 Mar", "2014"],
    ["le 5 mars 2014", "2014"],
  ])("%s → %s in 264, 773 and 936", (date, year) => {
    const items = [{ ...item, date }];
    expect(fieldsOf("264", items)).toEqual([`_1$c${year}`]);
    expect(fieldsOf("773", items)[0]).toContain(`$g12 (${year}), 3, Seite 1-20`);
    expect(fieldsOf("936", items)[0]).toContain(`$j${year}`);
  });

  it("a format of the source → before the common meaning", () => {
    const source = { dateFormats: { formats: ["%Y/%d/%m"], locales: [] } };
    const [conversion] = convertItems([{ ...item, date: "2014/05/12" }], contextOf({ source }), { today });
    expect(conversion).toMatchObject({ type: "converted", date: "2014-12-05", warnings: [] });
  });
});

it.skipIf(corpus.isAbsent)(
  "Zotero's own items (skipped where the corpus is absent) → none dropped for a date that names a year",
  () => {
    const items = corpus.filesIn("conversion").flatMap((name) => {
      const { translation_server_response } = JSON.parse(corpus.text(`conversion/${name}`));
      return (translation_server_response as ZoteroItem[]).filter(({ itemType }) => itemType !== "note");
    });
    const dated = items.filter(({ date = "" }) => /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/.test(date));
    expect(dated.length).toBeGreaterThan(90);
    const dropped = dated.flatMap((one) => convertItems([one], contextOf(), { today }));
    expect(dropped.filter((one) => one.type === "dropped" && one.reason === "unreadable-date")).toEqual([]);
  },
);
