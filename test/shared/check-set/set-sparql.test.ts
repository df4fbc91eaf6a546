import { Store } from "oxigraph";
import { describe, expect, it } from "vitest";
import { parseCheckedSet } from "../../../shared/check-set/checked-set.ts";
import {
  askWhetherPublished,
  registerPublished,
  stringTerm,
  uriTerm,
} from "../../../shared/check-set/set-sparql.ts";
import type { SetAudience } from "../../../shared/formats/oai/set-audience.ts";

const data = (uri: string, audience = '"primo"') => `
  <${uri}> a <http://purl.org/dc/dcmitype/Collection> .
  <urn:a> <http://www.w3.org/ns/prov#wasDerivedFrom> <${uri}> ; <http://usefulinc.com/ns/doap#audience> ${audience} .`;

function isPublished(store: Store, url: string): boolean {
  return store.query(askWhetherPublished(parseCheckedSet(url))) as boolean;
}

describe("askWhetherPublished", () => {
  const maps = "https://a.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=maps";
  it.each([
    [maps, maps, true],
    ["https://a.example/oai?set=maps&verb=ListRecords", maps, true],
    [maps, "https://A.example/oai?verb=ListRecords&set=maps", true],
    [maps, "https://a.example/oai?verb=ListRecords&from=2020-01-01&set=maps", true],
    [maps, "https://a.example/oai?verb=ListRecords", true],
    [maps, "https://a.example/oai?verb=ListRecords&set=", true],
    [maps, "https://a.example/oai?verb=ListRecords&set=map", false],
    [maps, "https://a.example/oai?verb=ListRecords&set=maps2", false],
    [maps, "https://a.example/oai?verb=ListRecords&set=MAPS", false],
    [maps, "https://a.example/oai2?verb=ListRecords&set=maps", false],
    [maps, "https://a.example/oa?verb=ListRecords&set=maps", false],
    [maps, "http://a.example/oai?verb=ListRecords&set=maps", false],
    [maps, "https://a.example/oai?page=2&verb=ListRecords&set=maps", false],
    [maps, "https://b.example/oai?verb=ListRecords", false],
    [
      "https://a.example/index.php?page=oai&verb=ListRecords&set=maps",
      "https://a.example/index.php?page=oai&verb=ListRecords&set=maps",
      true,
    ],
    [
      "https://a.example/index.php?page=oai&verb=ListRecords&set=maps",
      "https://a.example/index.php?verb=ListRecords&set=maps",
      false,
    ],
    [
      "https://a.example/oai?verb=ListRecords&set=a%3Ab",
      "https://a.example/oai?verb=ListRecords&set=a:b",
      true,
    ],
    [
      "https://a.example/oai?verb=ListRecords&set=a:b",
      "https://a.example/oai?verb=ListRecords&set=a%3ab",
      true,
    ],
    [
      "https://a.example/oai?verb=ListRecords&set=a+b",
      "https://a.example/oai?verb=ListRecords&set=a%20b",
      true,
    ],
    [
      "https://a.example/oai?verb=ListRecords&set=a%26set%3Db",
      "https://a.example/oai?verb=ListRecords&set=a%26set%3Db",
      true,
    ],
    [
      "https://a.example/oai?verb=ListRecords&set=a&set=b",
      "https://a.example/oai?verb=ListRecords&set=a%26set%3Db",
      false,
    ],
    ["https://a.example/oai?verb=ListRecords&offset=maps", maps, false],
    [
      "https://a.example/oai?verb=ListRecords&set=m%C3%A4",
      "https://a.example/oai?verb=ListRecords&set=mä",
      true,
    ],
    ["https://a.example/oai", "https://a.example/oai?verb=ListRecords", true],
    ["https://a.example/oai", maps, false],
  ])("published %s, asked for %s → %j", (published, asked, expected) => {
    const store = new Store();
    store.load(data(published), { format: "text/turtle" });
    expect(isPublished(store, asked)).toBe(expected);
  });

  it.each([
    ['"dpla"', true],
    ['"primo"@en', true],
    ['"other"', false],
    ['"primo2"', false],
  ])("audience %s → %j", (audience, expected) => {
    const store = new Store();
    store.load(data(maps, audience), { format: "text/turtle" });
    expect(isPublished(store, maps)).toBe(expected);
  });

  it("whatever is in the URL → a query that means the same", () => {
    const store = new Store();
    store.load(data(maps), { format: "text/turtle" });
    const hostile = [
      '"',
      "'",
      "\\",
      "\\u0022",
      '")} #',
      "\n",
      "\r",
      "\t",
      "}",
      "{",
      ">",
      "<",
      "|",
      "^",
      "`",
      " ",
      "?x",
      "$x",
      "\u0001",
      "\u{1f600}",
      "'''",
      '"""',
    ];
    for (const text of hostile) {
      for (const spec of [text, `${text}) || true || (${text}`, `maps${text}`]) {
        const asked = `https://a.example/oai?verb=ListRecords&set=${encodeURIComponent(spec)}`;
        expect(isPublished(store, asked), asked).toBe(false);
        expect(isPublished(store, `https://a.example/oai${encodeURI(spec)}?verb=ListRecords&set=maps`)).toBe(
          false,
        );
        expect(
          isPublished(store, `https://a.example/oai?x=${encodeURI(spec)}&verb=ListRecords&set=maps`),
        ).toBe(false);
      }
    }
  });
});

describe("terms", () => {
  it.each([
    ['a"b\\c\nd\re\tf', '"a\\"b\\\\c\\nd\\re\\tf"'],
    ["a\u0000\ud800", '"a\ufffd\ufffd"'],
  ])("the string %j → %s", (text, expected) => {
    expect(stringTerm(text)).toBe(expected);
  });

  it("a URI with characters that it may not contain → escaped", () => {
    expect(uriTerm('http://a.example/<>"{}|\\^` \n')).toBe(
      "<http://a.example/%3C%3E%22%7B%7D%7C%5C%5E%60%20%0A>",
    );
  });
});

describe("registerPublished", () => {
  const set = {
    sourceId: "maps of 'x'",
    service: "https://a.example/oai",
    spec: "a b}",
    metadataPrefix: "oai_dc",
  };
  const asked = "https://a.example/oai?verb=ListRecords&set=a%20b%7D";
  const register = (store: Store, audiences: SetAudience[], change: Partial<typeof set> = {}) =>
    store.update(registerPublished({ ...set, ...change }, audiences));

  it("a set → published; again → the same store", () => {
    const store = new Store();
    register(store, ["primo", "dpla"]);
    expect(isPublished(store, asked)).toBe(true);
    const once = store.dump({ format: "application/n-quads" });
    register(store, ["primo", "dpla"]);
    expect(store.dump({ format: "application/n-quads" })).toBe(once);
  });

  it("without audiences any more → not published; what others registered stays", () => {
    const store = new Store();
    store.load(data("https://b.example/oai?verb=ListRecords&set=x"), { format: "text/turtle" });
    register(store, ["primo"]);
    register(store, []);
    expect(isPublished(store, asked)).toBe(false);
    expect(isPublished(store, "https://b.example/oai?set=x")).toBe(true);
  });

  it("a source that reads another set now → only that one", () => {
    const store = new Store();
    register(store, ["primo"]);
    register(store, ["primo"], { spec: "other" });
    expect(isPublished(store, asked)).toBe(false);
    expect(isPublished(store, "https://a.example/oai?set=other")).toBe(true);
  });

  it("two sources of one set → published until both withdraw", () => {
    const store = new Store();
    register(store, ["primo"]);
    register(store, ["dpla"], { sourceId: "second" });
    register(store, []);
    expect(isPublished(store, asked)).toBe(true);
    register(store, [], { sourceId: "second" });
    expect(isPublished(store, asked)).toBe(false);
  });
});
