import { describe, expect, it } from "vitest";
import { parseOaiPage } from "../../../../shared/formats/oai/parse-page.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

/** A page whose root declares some namespaces, and each of its records another one. */
function pageOf({ declared, records }: { declared: number; records: number }): Buffer {
  const declarations = Array.from({ length: declared }, (_, number) => ` xmlns:p${number}="urn:${number}"`);
  const record = (number: number) =>
    `<record xmlns:own="urn:own:${number}"><header><identifier>${number}</identifier><datestamp>2026-01-01</datestamp></header><metadata><own:a/></metadata></record>`;
  const list = Array.from({ length: records }, (_, number) => record(number)).join("");
  return Buffer.from(
    `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"${declarations.join("")}><ListRecords>${list}</ListRecords></OAI-PMH>`,
  );
}

describe("namespaces of a page", () => {
  it("as many as no document declares, and all its records another one → read, in no time", () => {
    const page = pageOf({ declared: 200, records: 5000 });
    let result: ReturnType<typeof parseOaiPage> | undefined;
    const spentMs = cpuMsOf(() => {
      result = parseOaiPage(page, {});
    });
    expect(result).toMatchObject({ type: "page" });
    expect(spentMs).toBeLessThan(5000);
  });

  it("the metadata declare what they inherit, the outermost first", () => {
    const result = parseOaiPage(pageOf({ declared: 2, records: 1 }), { asXml: true });
    expect(result).toMatchObject({
      page: {
        records: [
          {
            metadata:
              '<own:a xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:p0="urn:0" xmlns:p1="urn:1" xmlns:own="urn:own:0"/>',
          },
        ],
      },
    });
  });

  it("more → refused, so that no record takes long", () => {
    expect(parseOaiPage(pageOf({ declared: 5000, records: 1 }), {})).toEqual({
      type: "malformed",
      problem: "the namespaces in force have more than 16384 characters",
    });
  });
});
