import { describe, expect, it } from "vitest";
import {
  type ListProgress,
  type ListStep,
  listBegin,
  nextListStep,
} from "../../../../shared/formats/oai/completeness.ts";
import type { OaiPage, ResumptionToken } from "../../../../shared/formats/oai/page.ts";

interface Answer {
  ids?: string;
  token?: ResumptionToken | string;
  errors?: string[];
}

function page({ ids = "", token, errors = [] }: Answer): OaiPage {
  return {
    verb: "ListRecords",
    responseDate: "2024-05-01T10:00:00Z",
    errors: errors.map((code) => ({ code, message: "" })),
    records: [...ids].map((identifier) => ({
      identifier,
      datestamp: "2024-01-01",
      sets: [],
      isDeleted: false,
      values: [],
    })),
    sets: [],
    formats: [],
    ...(token !== undefined && { resumptionToken: typeof token === "string" ? { value: token } : token }),
  };
}

/** Reads pages until one ends the list; the last one responds whatever comes after it. */
function read(answers: Answer[], { expectsRecords = false, limits = {} } = {}): ListStep {
  let progress: ListProgress = listBegin;
  let asked: string | undefined;
  for (let count = 0; ; count += 1) {
    const step = nextListStep(page(answers[Math.min(count, answers.length - 1)] ?? {}), progress, {
      asked,
      bytes: 1000,
      expectsRecords,
      limits: { pages: 100, emptyPagesInARow: 5, repeatedPagesInARow: 5, bytes: 1e6, ...limits },
    });
    if (step.type !== "next") return step;
    progress = step.progress;
    asked = step.resumptionToken;
  }
}

const complete = { type: "complete" };
const announced = (value: string, completeListSize: number) => ({ value, completeListSize });

describe("the end of a list", () => {
  it.each<[string, Answer[], object]>([
    ["one page without a token → complete", [{ ids: "ab" }], complete],
    [
      "an empty token → complete",
      [
        { ids: "a", token: "1" },
        { ids: "b", token: "" },
      ],
      complete,
    ],
    ["no token on the last page → complete", [{ ids: "a", token: "1" }, { ids: "b" }], complete],
    ["noRecordsMatch → complete", [{ errors: ["noRecordsMatch"] }], complete],
    [
      "noRecordsMatch after a token → complete",
      [{ ids: "a", token: "1" }, { errors: ["noRecordsMatch"] }],
      complete,
    ],
    ["a token after the last record, then nothing → complete", [{ ids: "ab", token: "1" }, {}], complete],
    [
      "some empty pages → complete",
      [{ ids: "a", token: "1" }, { token: "2" }, { token: "3" }, { ids: "b" }],
      complete,
    ],
    [
      "some repeated pages, then new ones → complete",
      [..."1234"].map((token) => ({ ids: "a", token })).concat([{ ids: "b", token: "" }]),
      complete,
    ],
    [
      "as many as announced → complete",
      [
        { ids: "ab", token: announced("1", 3) },
        { ids: "c", token: announced("", 3) },
      ],
      complete,
    ],
    [
      "fewer than announced → short",
      [{ ids: "ab", token: announced("1", 4) }, { ids: "c" }],
      { type: "short", announced: 4, read: 3 },
    ],
    [
      "one page of many announced → short",
      [{ ids: "a", token: announced("", 100) }],
      { type: "short", announced: 100, read: 1 },
    ],
    ["more than announced → complete", [{ ids: "ab", token: announced("1", 1) }, { ids: "c" }], complete],
    ["an error → interrupted", [{ errors: ["badArgument"] }], { type: "interrupted", reason: "badArgument" }],
    [
      "an error in mid-list → interrupted",
      [{ ids: "a", token: "1" }, { errors: ["cannotDisseminateFormat"] }],
      { type: "interrupted", reason: "cannotDisseminateFormat" },
    ],
    [
      "badResumptionToken without a token → interrupted",
      [{ errors: ["badResumptionToken"] }],
      { type: "interrupted", reason: "badResumptionToken" },
    ],
    [
      "the last page forever → interrupted",
      [
        { ids: "a", token: "1" },
        { ids: "b", token: "1" },
      ],
      { type: "interrupted", reason: "the repository repeats its pages (page 3)" },
    ],
    [
      "a circle of pages → interrupted",
      [
        { ids: "a", token: "1" },
        { ids: "b", token: "2" },
        { ids: "a", token: "1" },
      ],
      { type: "interrupted", reason: "the repository repeats its pages (page 3)" },
    ],
    [
      "the same token and nothing else → interrupted",
      [{ ids: "a", token: "1" }, { token: "1" }],
      { type: "interrupted", reason: "the repository repeats its pages (page 2)" },
    ],
  ])("%s", (_title, answers, completeness) => {
    expect(read(answers)).toMatchObject({ type: "end", completeness });
  });

  it("an expired token → may be begun again", () => {
    expect(read([{ ids: "a", token: "1" }, { errors: ["badResumptionToken"] }])).toEqual({
      type: "expired",
      reason: "badResumptionToken",
    });
  });

  it("nothing where there was something → empty", () => {
    expect(read([{ errors: ["noRecordsMatch"] }], { expectsRecords: true })).toMatchObject({
      completeness: { type: "empty" },
    });
  });

  const endless = Array.from({ length: 50 }, (_, n) => ({
    ids: String.fromCodePoint(0x4e00 + n),
    token: `t${n}`,
  }));
  it.each([
    ["pages", { pages: 10 }, endless, "the list has more than 10 pages"],
    [
      "the same page under ever new tokens",
      {},
      endless.map(({ token }) => ({ ids: "ab", token })),
      "5 pages in a row repeat the records of earlier ones",
    ],
    [
      "three pages in a circle under ever new tokens",
      {},
      endless.map(({ token }, n) => ({ ids: "abc".charAt(n % 3), token })),
      "5 pages in a row repeat the records of earlier ones",
    ],
    ["bytes", { bytes: 5000 }, endless, "the list has more than 5000 bytes"],
    ["empty pages", {}, endless.map(({ token }) => ({ token })), "5 pages in a row have no records"],
  ])("too many %s → interrupted", (_title, limits, answers, reason) => {
    expect(read(answers, { limits })).toMatchObject({ completeness: { type: "interrupted", reason } });
  });

  it("the next list begins at the date of the first page's answer", () => {
    const first = nextListStep(page({ ids: "a", token: "1" }), listBegin, {
      asked: undefined,
      bytes: 1,
      expectsRecords: false,
    });
    expect(first).toMatchObject({ progress: { responseDate: "2024-05-01T10:00:00Z", pages: 1, records: 1 } });
  });
});
