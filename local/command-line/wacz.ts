import { mkdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { InputError } from "../../shared/core/errors.ts";
import { pluralize } from "../../shared/core/pluralize.ts";
import { unresolvedRevisits, waczIndex } from "../../shared/snapshots/wacz/wacz-index.ts";
import { waczPages } from "../../shared/snapshots/wacz/wacz-pages.ts";
import { readCapture } from "../snapshots/read-capture.ts";
import { writeWacz } from "../snapshots/write-wacz.ts";
import type { Command } from "./command.ts";
import { assertWritableFolder } from "./outcome-files.ts";
import { parseArguments } from "./parse-arguments.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather wacz DIR… --out FILE.wacz

Packs captures into one WACZ file, which ReplayWeb.page shows. A capture that was made with --index refers to earlier
captures: name their folders too.

  --out FILE       the package; a file that is there is replaced
  --help           show this

Exit code: 0 the package is written, 1 it is, but refers to content that it does not hold, 2 wrong use.
`;

export const waczCommand: Command = {
  usage,
  async run(args, { stderr }) {
    const { values, positionals } = parseArguments(args, { out: { type: "string" } });
    if (positionals.length === 0)
      throw new InputError("DIR", undefined, "is needed: npx ingather wacz DIR… --out FILE.wacz");
    if (values.out === undefined || !values.out.endsWith(".wacz"))
      throw new InputError("--out", values.out, "must be a file whose name ends with .wacz");
    assertWritableFolder(dirname(resolve(values.out)));
    mkdirSync(dirname(resolve(values.out)), { recursive: true });
    const stored = [...new Set(positionals.map((folder) => resolve(folder)))].map(readCapture);
    const warcs = stored.flatMap((each) => each.warcs);
    const twice = warcs.find(
      (path, at) => warcs.findIndex((other) => basename(other) === basename(path)) < at,
    );
    if (twice !== undefined)
      throw new InputError("DIR", twice, "has the name of a WARC file of another capture");
    const captures = stored.flatMap((each) => each.captures);
    const found = new Map(stored.flatMap((each) => [...each.found]));
    await writeWacz(values.out, {
      warcs,
      texts: [...waczIndex(captures), waczPages(captures, found)],
      created: new Date(),
      software: "Ingather",
    });
    const unresolved = unresolvedRevisits(
      captures,
      new Map(stored.flatMap(({ originals }) => [...originals])),
    );
    stderr.write(
      `${values.out}: ${pluralize(captures.length, "capture")}, ${pluralize(warcs.length, "WARC file")}\n`,
    );
    if (unresolved.length === 0) return 0;
    const example = printable(unresolved[0]?.fields.url ?? "");
    stderr.write(
      `the content of ${pluralize(unresolved.length, "capture")} is in captures that are not packed, such as ${example}\n`,
    );
    return 1;
  },
};
