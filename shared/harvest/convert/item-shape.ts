import * as z from "zod";

/** The part of an item's shape that the conversion relies on. Fields of the wrong type count as empty. */
const itemShape = z.looseObject({
  itemType: z.string(),
  creators: z.array(z.looseObject({})).optional(),
  tags: z.array(z.looseObject({})).optional(),
  notes: z.array(z.looseObject({ note: z.string() })).optional(),
});

/** The problem of an item's shape, e.g. `creators: expected array`; undefined when it is valid. */
export function findShapeProblem(item: unknown): string | undefined {
  const parsed = itemShape.safeParse(item);
  return parsed.error?.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}
