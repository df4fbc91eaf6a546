import { dirname, resolve } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { pluralize } from "../../../shared/core/pluralize.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { packCaptures } from "../snapshots/wacz/pack-captures.ts";
import type { Command } from "./command.ts";
import { describeUnresolved } from "./describe-unresolved.ts";
import { createOutFolder } from "./out-folder.ts";

const usage = `npx ingather wacz DIR… [FILE.warc[.gz]…] --out FILE.wacz

Packs captures into one WACZ file, which ReplayWeb.page can show. A capture that was made with --index refers to earlier
captures: also name the folders of these captures, or the WARC files of their crawler.

  --out FILE       the package; an existing file is replaced
  --help           show this

Exit code: 0 the package is written, 1 written, with unresolved revisits, 2 wrong use.
`;

export const waczCommand: Command = {
  usage,
  async run(args, { stderr }) {
    const { values, positionals } = parseArguments(args, { out: { type: "string" } });
    if (positionals.length === 0)
      throw new InputError("DIR", undefined, "is required: npx ingather wacz DIR… --out FILE.wacz");
    if (values.out === undefined || !values.out.endsWith(".wacz"))
      throw new InputError("--out", values.out, "must be a file whose name ends with .wacz");
    createOutFolder(dirname(resolve(values.out)));
    const { captureCount, warcCount, unresolved } = await packCaptures(positionals, values.out);
    stderr.write(
      `${values.out}: ${pluralize(captureCount, "capture")}, ${pluralize(warcCount, "WARC file")}\n`,
    );
    stderr.write(describeUnresolved(unresolved));
    return unresolved.length === 0 ? 0 : 1;
  },
};
