import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import type { Document } from "../../../../shared/records/documents/document.ts";
import { addWaits, isOfTurn, listMark, takeTurns } from "../../../../shared/records/documents/waits.ts";

const timeOf = (day: number) => new Date(Date.UTC(2027, 0, day)).toISOString();

function missing(documentId: string, marks: Pick<Document, "listedIn" | "askedIn">): Document {
  return {
    ...{ sourceId: "s", documentId, identifier: [documentId], state: "present" },
    ...{ firstListedAt: timeOf(1), changedAt: timeOf(1), outbox: [], revision: 1 },
    versions: [{ version: 1, type: "new", at: timeOf(1) }],
    ...marks,
  };
}

describe("takeTurns", () => {
  it("1,000 sources of up to 400 lists → the documents of the turns, up to the most, are those that wait longest", () => {
    const random = seededRandom(27);
    const draw = (end: number) => Math.floor(random() * end);
    for (let world = 0; world < 1000; world += 1) {
      const lists = 1 + draw(world % 2 === 0 ? 4 : 400);
      const days = new Map<Document, number>();
      for (let n = draw(300); n > 0; n -= 1) {
        const [listed, asked] = [draw(lists) + 1, draw(lists) + 1];
        const askedIn = draw(3) === 0 ? { askedIn: listMark("harvest-s-asked", timeOf(asked)) } : {};
        const document = missing(String(n), {
          listedIn: listMark("harvest-s-r", timeOf(listed)),
          ...askedIn,
        });
        days.set(document, "askedIn" in askedIn ? Math.max(listed, asked) : listed);
      }
      const documents = [...days.keys()];
      const most = 1 + draw(50);
      let waits = {};
      for (let at = 0; at < documents.length; at += 60) waits = addWaits(waits, documents.slice(at, at + 60));
      expect(Object.keys(waits).length).toBeLessThanOrEqual(100);
      const turns = takeTurns(waits, most);
      expect(turns.length).toBeLessThanOrEqual(2);
      const taken = turns.flatMap((turn) => documents.filter((document) => isOfTurn(document, turn)));
      const daysOf = (some: Document[]) =>
        some.map((document) => days.get(document) ?? 0).toSorted((a, b) => a - b);
      expect(daysOf(taken.slice(0, most))).toEqual(daysOf(documents).slice(0, most));
    }
  });

  it("a document that no list has had → waits longest", () => {
    const [never, listed] = [missing("a", {}), missing("b", { listedIn: listMark("h", timeOf(1)) })];
    expect(takeTurns(addWaits({}, [listed, never]), 1)).toEqual([{ since: "" }]);
  });
});
