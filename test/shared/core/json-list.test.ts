import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitJsonList } from "../../../shared/core/json-list.ts";

async function split(
  text: string | Buffer,
  sizes: readonly number[] = [],
  maxBytes = 1000,
): Promise<string[]> {
  async function* chunks() {
    let rest = Buffer.from(text as string);
    for (let at = 0; rest.length > 0; at++) {
      const size = sizes.length === 0 ? rest.length : (sizes[at % sizes.length] ?? 1);
      yield rest.subarray(0, size);
      rest = rest.subarray(size);
    }
  }
  const elements: string[] = [];
  for await (const { bytes } of splitJsonList(chunks(), { maxBytes })) elements.push(bytes.toString());
  return elements;
}

describe("a list in chunks of any size", () => {
  it("random values, indented or not → the same values", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.constantFrom(0, 1, 2),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom("", "\ufeff", " \n"),
        async (values, indent, sizes, before) => {
          const text = `${before}${JSON.stringify(values, null, indent)}\n`;
          const elements = await split(text, sizes, 1_000_000);
          expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["[1, {x}, 3]", ["1", " {x}", " 3"]],
    ['[{"a": "]}"}, "[,"]', ['{"a": "]}"}', ' "[,"']],
    ["[1,, 2]", ["1", "", " 2"]],
    ["[}, 2]", ["}", " 2"]],
  ])("%s → its elements, valid or not", async (text, elements) => {
    expect(await split(text)).toEqual(elements);
  });

  it("an element → the line of its first byte", async () => {
    const lines: number[] = [];
    async function* chunks() {
      yield Buffer.from('[\n{"a":\n1},{"b": 2},\n\n');
      yield Buffer.from("3]");
    }
    for await (const { line } of splitJsonList(chunks(), { maxBytes: 100 })) lines.push(line);
    expect(lines).toEqual([1, 3, 3]);
  });
});

it.each([
  ["", /^is empty, but must be JSON$/],
  [" \n", /^is empty/],
  ["{}", /^must be a list of items$/],
  ["[1", /^is not JSON: it ends too early/],
  ['["a]', /ends too early/],
  ["[1]\n2", /^is not JSON: line 2: text after the list$/],
  [`[\n"${"x".repeat(2000)}`, /^line 1: an item has more than 1000 bytes/],
])("%j → BrokenList that says why", async (text, says) => {
  await expect(split(text)).rejects.toThrow(says);
});
