import { z } from "zod";

/** As much of an item's shape as the conversion relies on. Fields of another kind than text read as empty. */
const itemShape = z.looseObject({
  itemType: z.string(),
  creators: z.array(z.looseObject({})).optional(),
  tags: z.array(z.looseObject({})).optional(),
  notes: z.array(z.looseObject({ note: z.string() })).optional(),
});

/** Tells what is wrong with the shape of an item, e.g. `creators: expected array`; undefined when it can be read. */
export function findShapeProblem(item: unknown): string | undefined {
  const parsed = itemShape.safeParse(item);
  return parsed.error?.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}
