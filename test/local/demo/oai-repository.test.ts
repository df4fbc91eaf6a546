import { describe, expect, it } from "vitest";
import { demoRecordsAt, stepMs } from "../../../local/demo/oai-records.ts";
import { answerOai } from "../../../local/demo/oai-repository.ts";
import type { OaiPage } from "../../../shared/formats/oai/page.ts";
import { parseOaiPage } from "../../../shared/formats/oai/parse-page.ts";

const openedAt = new Date("2026-11-20T12:00:00Z");

/** What our strict reader reads of an answer, `steps` changes after the repository opened. */
function ask(query: string, steps = 0): OaiPage {
  const now = new Date(openedAt.getTime() + steps * stepMs);
  const state = {
    baseUrl: "http://x/oai",
    fileUrl: (n: number) => `http://x/${n}.pdf`,
    records: demoRecordsAt(now, openedAt),
    now,
  };
  const result = parseOaiPage(Buffer.from(answerOai(new URLSearchParams(query), state)), { asXml: true });
  if (result.type !== "page") throw new Error(JSON.stringify(result));
  expect(result.flaw).toBeUndefined();
  return result.page;
}

/** The numbers of all records of a list, over its pages; deleted ones with a minus. */
function numbers(query: string, steps = 0): string {
  const found: string[] = [];
  for (let page = ask(query, steps); ; ) {
    found.push(
      ...page.records.map(
        ({ identifier, isDeleted }) => `${isDeleted ? "-" : ""}${identifier.replace(/.*:/, "")}`,
      ),
    );
    const token = page.resumptionToken?.value ?? "";
    if (token === "") return found.join(" ");
    page = ask(`verb=ListRecords&resumptionToken=${encodeURIComponent(token)}`, steps);
  }
}

const list = "verb=ListRecords&metadataPrefix=oai_dc";

describe("the demo's OAI-PMH repository", () => {
  it("→ its records in pages, without gaps or repetitions", () => {
    expect(numbers(list)).toBe("1 2 3 4 5 6 7 8");
    expect(ask(list).resumptionToken).toMatchObject({ completeListSize: 8, cursor: 0 });
  });

  it("while it runs → adds, changes and deletes records", () => {
    expect(numbers(list, 1)).toBe("1 2 3 4 5 6 7 8 9");
    expect(numbers(list, 2)).toBe("2 3 4 5 6 7 8 9 1");
    expect(numbers(list, 3)).toBe("2 3 4 5 6 7 9 1 -8");
    expect(numbers(`${list}&from=2026-11-20T12:00:16Z`, 3)).toBe("1 -8");
    expect(numbers(list, 1000).split(" ")).toHaveLength(12);
  });

  it("sets, days, and both ends included", () => {
    expect(numbers(`${list}&set=patterns`)).toBe("7");
    expect(numbers(`${list}&from=2026-11-13&until=2026-11-14`)).toBe("2 3");
    expect(numbers(`${list}&until=2026-11-12T12:00:00Z`)).toBe("1");
  });

  it("Identify, formats, sets, one record, identifiers", () => {
    expect(ask("verb=Identify").identity).toMatchObject({
      deletedRecord: "persistent",
      protocolVersion: "2.0",
      earliestDatestamp: "2026-11-12T12:00:00Z",
    });
    expect(ask("verb=ListMetadataFormats").formats.map(({ prefix }) => prefix)).toEqual(["oai_dc"]);
    expect(ask("verb=ListSets").sets.map(({ spec }) => spec)).toEqual(["essays", "patterns"]);
    expect(
      ask("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:papers.example.org:1").records[0]?.metadata,
    ).toContain("How to trim a wick");
    expect(ask("verb=ListIdentifiers&metadataPrefix=oai_dc").records).toHaveLength(5);
  });

  it.each([
    ["", "badVerb"],
    ["verb=Sing", "badVerb"],
    ["verb=ListRecords", "badArgument"],
    [`${list}&from=yesterday`, "badArgument"],
    [`${list}&from=2026-01-02&until=2026-01-01`, "badArgument"],
    [`${list}&from=2026-01-01&until=2026-01-02T00:00:00Z`, "badArgument"],
    [`${list}&set=a&set=b`, "badArgument"],
    [`${list}&resumptionToken=x`, "badArgument"],
    ["verb=Identify&set=a", "badArgument"],
    ["verb=ListRecords&resumptionToken=x", "badResumptionToken"],
    ["verb=ListRecords&resumptionToken=99!metadataPrefix%3Doai_dc", "badResumptionToken"],
    ["verb=ListSets&resumptionToken=x", "badResumptionToken"],
    ["verb=ListRecords&metadataPrefix=marc", "cannotDisseminateFormat"],
    ["verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:x:1", "idDoesNotExist"],
    [`${list}&set=none`, "noRecordsMatch"],
    [`${list}&from=2030-01-01`, "noRecordsMatch"],
  ])("%j → %s", (query, code) => {
    expect(ask(query).errors.map((error) => error.code)).toEqual([code]);
  });
});
