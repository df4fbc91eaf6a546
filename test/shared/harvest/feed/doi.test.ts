import { describe, expect, test } from "vitest";
import { doiInUrl, statedDoi } from "../../../../shared/harvest/feed/doi.ts";

describe("an identifier", () => {
  test.each([
    ["10.5555/a.1", "10.5555/a.1"],
    ["doi:10.5555/a.1", "10.5555/a.1"],
    ["DOI: 10.5555/a.1", "10.5555/a.1"],
    ["info:doi/10.5555/a.1", "10.5555/a.1"],
    ["urn:doi:10.5555/a.1", "10.5555/a.1"],
    [" https://doi.org/10.1016/S0140-6736(20)30183-5 ", "10.1016/S0140-6736(20)30183-5"],
    ["http://dx.doi.org/10.5555/a.1", "10.5555/a.1"],
    ["pmid:34811339", undefined],
    ["https://a.example/10.5555/a.1", undefined],
    ["10.5555", undefined],
    [undefined, undefined],
  ])("%s → %s", (identifier, doi) => {
    expect(statedDoi(identifier)).toBe(doi);
  });
});

describe("a URL", () => {
  test.each([
    ["https://dx.doi.org/10.4039/tce.2021.38?rft_dat=source%3Ddrss", "10.4039/tce.2021.38"],
    ["https://p.example/doi/full/10.1080/0123.456?af=R", "10.1080/0123.456"],
    ["https://p.example/doi/10.1002/%28SICI%291097-4571", "10.1002/(SICI)1097-4571"],
    ["https://p.example/articles/10.3389/fpsyg.2021.123456/full", "10.3389/fpsyg.2021.123456"],
    ["https://p.example/article/10.1007/s00127-021-02100-1/full/html/", "10.1007/s00127-021-02100-1"],
    ["https://p.example/content/10.1101/2021.01.02v1.full", "10.1101/2021.01.02v1"],
    ["https://p.example/content/pdf/10.1007/s00127-021-02100-1.pdf", "10.1007/s00127-021-02100-1"],
    ["https://p.example/plosone/article?id=10.1371/journal.pone.0123456", "10.1371/journal.pone.0123456"],
    ["https://p.example/100%/10.5555/a", "10.5555/a"],
    ["https://p.example/article/view/525.4.1", undefined],
    ["tag:p.example,2024:1", undefined],
  ])("%s → %s", (url, doi) => {
    expect(doiInUrl(url)).toBe(doi);
  });
});
