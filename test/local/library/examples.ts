import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An example of `docs/library.md`: the entry that its section is about, its code, and what it prints. */
interface LibraryExample {
  name: string;
  code: string;
  output: string;
}

/** The examples of the library's document, in its order. */
export function libraryExamples(root: string): LibraryExample[] {
  const text = readFileSync(join(root, "docs/library.md"), "utf8");
  const sections = text.matchAll(/^## (\w+)\n[\s\S]*?^```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/gm);
  return [...sections].map(([, name = "", code = "", output = ""]) => ({ name, code, output }));
}
