import { describe, expect, it } from "vitest";
import { operatorParts } from "../../../../shared/operations/routes/operator-parts.ts";
import { operatorSubjects } from "../../../../shared/operations/routes/operator-routes.ts";

const firstSegment = (path: string) => path.split("/")[1] ?? "";

describe("operatorParts", () => {
  const segments = operatorSubjects.flatMap(({ routes }) => routes.map(({ path }) => firstSegment(path)));

  it.each([...new Set(segments)])(
    "/%s → among others the subjects that have routes below it",
    async (segment) => {
      const expected = operatorSubjects.filter(({ routes }) =>
        routes.some(({ path }) => firstSegment(path) === segment),
      );
      expect(await operatorParts[segment]?.()).toEqual(expect.arrayContaining(expected));
    },
  );

  it("→ no other parts", () => {
    expect(Object.keys(operatorParts).sort()).toEqual([...new Set(segments)].sort());
  });
});
