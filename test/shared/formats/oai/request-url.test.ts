import { describe, expect, it } from "vitest";
import { oaiRequestUrl, parseOaiUrl } from "../../../../shared/formats/oai/request-url.ts";

describe("oaiRequestUrl", () => {
  it.each([
    [
      "arguments → encoded",
      "http://r.example/oai",
      { metadataPrefix: "oai_dc", set: "a b&c" },
      "?verb=ListRecords&metadataPrefix=oai_dc&set=a%20b%26c",
    ],
    [
      "a token → whatever it holds",
      "http://r.example/oai",
      { resumptionToken: "a/b+c=%20&d" },
      "?verb=ListRecords&resumptionToken=a%2Fb%2Bc%3D%2520%26d",
    ],
    [
      "a base URL with a query → kept",
      "http://r.example/oai?db=x",
      { metadataPrefix: "mods" },
      "&verb=ListRecords&metadataPrefix=mods",
    ],
    [
      "a base URL that ends with ? → no second one",
      "http://r.example/oai?",
      { metadataPrefix: "mods" },
      "verb=ListRecords&metadataPrefix=mods",
    ],
  ])("%s", (_title, base, args, rest) => {
    expect(oaiRequestUrl(base, "ListRecords", args)).toBe(base + rest);
  });
});

describe("parseOaiUrl", () => {
  it.each([
    ["a base URL", "http://r.example/oai", { baseUrl: "http://r.example/oai", args: {} }],
    [
      "a list with its arguments",
      " http://r.example/oai?verb=ListRecords&metadataPrefix=oai_dc&set=a%3Ab#x ",
      {
        baseUrl: "http://r.example/oai",
        verb: "ListRecords",
        args: { metadataPrefix: "oai_dc", set: "a:b" },
      },
    ],
    [
      "parameters of the server's own → stay in the base URL as they are",
      "http://r.example/oai?db=a%2fb&verb=ListRecords&x",
      { baseUrl: "http://r.example/oai?db=a%2fb&x", verb: "ListRecords", args: {} },
    ],
    [
      "a repeated argument → the first",
      "http://r.example/oai?verb=ListSets&set=a&set=b",
      { baseUrl: "http://r.example/oai", verb: "ListSets", args: { set: "a" } },
    ],
    ["an unknown verb", "http://r.example/oai?verb=List", undefined],
    ["another scheme", "ftp://r.example/oai", undefined],
    ["no URL", "roach", undefined],
  ])("%s", (_title, text, expected) => {
    expect(parseOaiUrl(text)).toEqual(expected);
  });
});
