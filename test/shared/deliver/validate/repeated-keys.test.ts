import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RepeatedKeys } from "../../../../shared/deliver/validate/repeated-keys.ts";

describe("the keys of a long list", () => {
  it("any keys, also more than expected → each repeated one is found", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 4 })), fc.nat({ max: 5 }), (keys, expected) => {
        const repeated = new RepeatedKeys(expected);
        for (const key of keys) repeated.add(key);
        const isTwice = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
        expect(keys.filter(isTwice).filter((key) => !repeated.has(key))).toEqual([]);
      }),
    );
  });

  it("100,000 different ones → few are found", () => {
    const keys = Array.from({ length: 100_000 }, (_, at) => `url:journal.example/article/${at}`);
    const repeated = new RepeatedKeys(keys.length);
    for (const key of keys) repeated.add(key);
    expect(keys.filter((key) => repeated.has(key)).length).toBeLessThan(8000);
  });
});
