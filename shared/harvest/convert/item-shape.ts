import * as z from "zod";

/** The part of an item's shape on which the conversion relies. Fields of the wrong type count as empty. */
const itemShape = z.looseObject({
  itemType: z.string(),
  creators: z.array(z.looseObject({})).optional(),
  tags: z.array(z.looseObject({})).optional(),
  notes: z.array(z.looseObject({ note: z.string() })).optional(),
});

/**
 * Returns the problem of an item's shape, such as `creators: expected array`.
 * @returns undefined when the shape is valid
 */
export function findShapeProblem(item: unknown): string | undefined {
  const parsed = itemShape.safeParse(item);
  return parsed.error?.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ");
}
