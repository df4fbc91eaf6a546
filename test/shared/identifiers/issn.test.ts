import { expect, it } from "vitest";
import { normalizeIssns } from "../../../shared/identifiers/issn.ts";

it.each<[string, (string | undefined)[], string | undefined]>([
  ["hyphen missing, small x → normal form", ["1234567x"], "1234-567X"],
  [
    "two in one value and one repeated → each once",
    ["ISSN 1234-5678 / 8765-4321", "1234-5678"],
    "1234-5678, 8765-4321",
  ],
  ["none → undefined", ["12-34", undefined], undefined],
])("normalizeIssns: %s", (_title, values, issns) => expect(normalizeIssns(values)).toBe(issns));
