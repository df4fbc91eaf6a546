import { describe, expect, it } from "vitest";
import { visitElements } from "../../../shared/xml/visit-elements.ts";

/** What is visited, one line each. */
function visit(text: string, wanted: string): { visited: string[]; problem: string | undefined } {
  const visited: string[] = [];
  const problem = visitElements(text, {
    open: ({ name, attributes, path }) => {
      visited.push(`${[...path, name].join("/")} ${JSON.stringify(attributes)}`);
      return name === wanted;
    },
    text: (found, { line, column }, path) => visited.push(`${path.join("/")}: ${found} at ${line}:${column}`),
    close: (name) => visited.push(`/${name}`),
  });
  return { visited, problem };
}

describe("visitElements", () => {
  it("elements by local names, and the text of wanted ones with its place", () => {
    expect(visit('<?xml version="1.0"?>\n<a:r>\n <b k="1">x &amp; <![CDATA[<y>]]></b>\n</a:r>', "b")).toEqual(
      {
        visited: ["r {}", 'r/b {"k":"1"}', "r: x & <y> at 3:11", "/b", "/r"],
        problem: undefined,
      },
    );
  });

  it("white space before the declaration → skipped, and counted as lines", () => {
    const { visited, problem } = visit('\n\n<?xml version="1.0"?><r>x</r>', "r");
    expect({ visited, problem }).toEqual({
      visited: ["r {}", ": x at 3:25", "/r"],
      problem: undefined,
    });
  });

  it("the text of elements inside a wanted one → left out", () => {
    expect(visit("<r>a<b>c</b>d</r>", "r").visited).toContain(": ad at 1:4");
  });

  it.each([
    ["a wrong end tag", "<r><b></r>", "unexpected close tag"],
    ["a truncated document", "<r><b>", "unclosed tag: b"],
    ["a hundred levels", "<a>".repeat(101), "more than 100 levels"],
  ])("%s → said so, after what precedes it", (_title, text, problem) => {
    const found = visit(text, "");
    expect(found.visited.length).toBeGreaterThan(1);
    expect(found.problem).toContain(problem);
  });
});
