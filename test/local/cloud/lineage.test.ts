import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerAfter, passesOf, readLineage } from "../../../local/cloud/lineage.ts";

const arn = (name: string) => `arn:aws:lambda:r:000000000000:function:${name}`;

describe("the lineage of a chain", () => {
  it("counts each function that the chain passes, in any order", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 });
    fc.assert(
      fc.property(names, (passed) => {
        let header: string | undefined;
        for (const name of passed) header = headerAfter(readLineage([header]), arn(name));
        for (const name of ["a", "b", "c", "d"]) {
          const count = passed.filter((each) => each === name).length;
          expect(passesOf(readLineage([header]), arn(name))).toBe(count);
        }
      }),
    );
  });

  it("of a batch of several chains → the most that any of them has passed each function", () => {
    const [a, b] = [arn("a"), arn("b")];
    const [once] = [headerAfter(new Map(), a)];
    const both = headerAfter(readLineage([headerAfter(readLineage([headerAfter(new Map(), b)]), b)]), a);
    const lineage = readLineage([once, undefined, both, once]);
    expect([passesOf(lineage, a), passesOf(lineage, b)]).toEqual([1, 2]);
  });

  it.each([
    undefined,
    "",
    "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0",
    "Lineage=",
    "Lineage=x:y|:3",
  ])("header %s → none", (header) => {
    expect(readLineage([header]).size).toBe(0);
  });

  it("is read from a header of X-Ray with other fields", () => {
    const header = `Root=1-5759e988-bd862e3fe1be46a994272793;${headerAfter(new Map(), arn("a"))};Sampled=0`;
    expect(passesOf(readLineage([header]), arn("a"))).toBe(1);
  });
});
