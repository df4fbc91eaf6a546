import { describe, expect, it, test } from "vitest";
import { findInvalidOrcids, normalizeOrcid } from "../../../shared/identifiers/orcid.ts";

describe("normalizeOrcid", () => {
  test.each<[string, string, string | undefined]>([
    ["URL → bare", "https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"],
    ["small x → capital", "0000-0002-1694-233x", "0000-0002-1694-233X"],
    ["wrong check digit → none", "0000-0002-1825-0098", undefined],
    ["no iD → none", "https://people.example/jane", undefined],
  ])("%s", (_title, value, orcid) => expect(normalizeOrcid(value)).toBe(orcid));
});

it("wrongOrcids → what has the form and a wrong check digit, each once", () => {
  const texts = ["https://orcid.org/0000-0002-1825-0098", "0000-0002-1825-0098", "0000-0002-1825-0097", "x"];
  expect(findInvalidOrcids(texts)).toEqual(["0000-0002-1825-0098"]);
});
