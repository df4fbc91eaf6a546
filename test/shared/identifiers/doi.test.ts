import { describe, expect, test } from "vitest";
import {
  doiKey,
  escapedDoiUrl,
  findDoiInUrl,
  findFieldDoi,
  findFirstDoi,
  parseDoi,
} from "../../../shared/identifiers/doi.ts";

describe("statedDoi", () => {
  test.each([
    ["10.5555/a.1", "10.5555/a.1"],
    ["doi:10.5555/a.1", "10.5555/a.1"],
    ["DOI: 10.5555/a.1", "10.5555/a.1"],
    ["info:doi/10.5555/a.1", "10.5555/a.1"],
    ["urn:doi:10.5555/a.1", "10.5555/a.1"],
    [" https://doi.org/10.1016/S0140-6736(20)30183-5 ", "10.1016/S0140-6736(20)30183-5"],
    ["http://dx.doi.org/10.5555/a%281%29?rft_dat=x", "10.5555/a(1)"],
    ["https://doi.org/10.5555/a/full", "10.5555/a/full"],
    ["pmid:34811339", undefined],
    ["https://a.example/10.5555/a.1", undefined],
    ["see 10.5555/a.1", undefined],
    ["10.5555", undefined],
    [undefined, undefined],
  ])("%s → %s", (identifier, doi) => {
    expect(parseDoi(identifier)).toBe(doi);
  });
});

describe("doiInUrl", () => {
  test.each([
    ["https://dx.doi.org/10.4039/tce.2021.38?rft_dat=source%3Ddrss", "10.4039/tce.2021.38"],
    ["https://p.example/doi/full/10.1080/0123.456?af=R", "10.1080/0123.456"],
    ["https://p.example/doi/10.1002/%28SICI%291097-4571", "10.1002/(SICI)1097-4571"],
    ["https://p.example/articles/10.3389/fpsyg.2021.123456/full", "10.3389/fpsyg.2021.123456"],
    ["https://p.example/article/10.1007/s00127-021-02100-1/full/html/", "10.1007/s00127-021-02100-1"],
    ["https://p.example/content/10.1101/2021.01.02v1.full", "10.1101/2021.01.02v1"],
    ["https://p.example/content/pdf/10.1007/s00127-021-02100-1.pdf", "10.1007/s00127-021-02100-1"],
    ["https://p.example/plosone/article?id=10.1371/journal.pone.0123456", "10.1371/journal.pone.0123456"],
    ["https://p.example/article/doi:10.5555/a", "10.5555/a"],
    ["https://p.example/100%/10.5555/a", "10.5555/a"],
    ["https://p.example/v1.10.2024/a", undefined],
    ["https://p.example/article/view/525.4.1", undefined],
    ["tag:p.example,2024:1", undefined],
  ])("%s → %s", (url, doi) => {
    expect(findDoiInUrl(url)).toBe(doi);
  });
});

describe("firstDoi", () => {
  test.each<[string, (string | undefined)[], string | undefined]>([
    ["bare → as it is", ["10.55555/Abc.1"], "10.55555/Abc.1"],
    ["doi: → without", ["doi: 10.55555/abc"], "10.55555/abc"],
    [
      "a resolver's URL → without host, escapes and query",
      ["https://dx.doi.org/10.55555/a%28b%29?x=1"],
      "10.55555/a(b)",
    ],
    ["a URL with a broken escape → as it is", ["https://doi.org/10.55555/50%"], "10.55555/50%"],
    ["a publisher's URL → without the view", ["https://p.example/doi/10.55555/abc/full"], "10.55555/abc"],
    ["end of a sentence → without its full stop", ["See 10.55555/abc."], "10.55555/abc"],
    ["end of a URL → likewise", ["https://doi.org/10.55555/abc."], "10.55555/abc"],
    ["bracket of the text around → without", ["(doi 10.55555/abc)"], "10.55555/abc"],
    ["SICI → kept whole", ["10.55555/(SICI)1<1::A>3.0.CO;2-O"], "10.55555/(SICI)1<1::A>3.0.CO;2-O"],
    ["something else before it → passed over", [undefined, "ISSN 1234-5678", "10.55555/abc"], "10.55555/abc"],
    ["a long text that cites one → none", [`10.55555/abc ${"and more ".repeat(60)}`], undefined],
    ["something else → none", ["11.1000/abc"], undefined],
  ])("%s", (_title, texts, doi) => {
    expect(findFirstDoi(texts)).toBe(doi);
  });
});

describe("doiKey", () => {
  test.each([
    ["10.5555/ABC.1", "10.5555/abc.1"],
    ["https://doi.org/10.5555/ABC.1", "10.5555/abc.1"],
    ["https://p.example/doi/10.5555/a%28b%29?x=1", "10.5555/a(b)"],
    ["10.1000/abc+1", "10.1000/abc+1"],
    ["See 10.5555/abc.", "10.5555/abc"],
    ["https://p.example/50%/10.5555/abc", "10.5555/abc"],
    ["https://p.example/article/1", undefined],
  ])("%s → %s", (text, key) => {
    expect(doiKey(text)).toBe(key);
  });
});

describe("fieldDoi", () => {
  test.each([
    ["10.5555/a", "10.5555/a"],
    ["10.5555.17/a", "10.5555.17/a"],
    ["https://dx.doi.org/10.5555/a", "10.5555/a"],
    ["doi.org/10.5555/a", "10.5555/a"],
    ["www.doi.org/10.5555/a%28b%29", "10.5555/a(b)"],
    ["doi:https://doi.org/10.5555/a", "10.5555/a"],
    ["https://doi.org/https://doi.org/10.5555/a", "10.5555/a"],
    ["https://p.example/doi/10.5555/a", "10.5555/a"],
    ["10.5555%2Fa", "10.5555/a"],
    ["10.5555/50%", "10.5555/50%"],
    ["DOI 10.5555/a.", "10.5555/a"],
    ["garbage", undefined],
    ["n/a", undefined],
    ["https://p.example/a", undefined],
  ])("%s → %s", (text, doi) => {
    expect(findFieldDoi(text)).toBe(doi);
  });
});

test("a DOI with reserved characters → a URL that can be requested", () => {
  expect(escapedDoiUrl("10.5555/a#b?c%d")).toBe("https://doi.org/10.5555/a%23b%3Fc%25d");
});
