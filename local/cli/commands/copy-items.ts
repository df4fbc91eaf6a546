import { InputError } from "../../../shared/core/errors.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import type { Command } from "./command.ts";
import { copyPlace } from "./copy-place.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather copy-items FROM [TO] [options]

Copies the items of a DynamoDB table to another one: from a table that was restored to a point in time, or to another
account, in eight segments side by side. Items that TO has are not changed. It can be repeated. TO is FROM when absent, with
--to-profile or --to-region.

  --to-profile NAME   the profile of the AWS CLI whose account has TO; FROM is in that of the environment
  --to-region REGION  the region of TO
  --overwrite         replace items that TO has
  --resume FILE       store the position in FILE; a repeat continues there. FILE is deleted at the end
  --help              show this

Exit code: 0 copied, 2 wrong use, 4 a table cannot be reached.
`;

export const copyItemsCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      "to-profile": { type: "string" },
      "to-region": { type: "string" },
      overwrite: { type: "boolean", default: false },
      resume: { type: "string" },
    });
    const [from, to = from, ...more] = positionals;
    if (from === undefined || to === undefined || more.length > 0) {
      throw new InputError("FROM", positionals.join(" "), "must be one table, or two");
    }
    const [profile, region] = [values["to-profile"], values["to-region"]];
    if (from === to && profile === undefined && region === undefined) {
      throw new InputError("TO", to, "must be another table than FROM, or of another profile or region");
    }
    const [{ copyItems }, { withAws }] = await Promise.all([
      import("../../../shared/adapters/aws/copy-items.ts"),
      import("./with-aws.ts"),
    ]);
    const { overwrite } = values;
    const tables = { from: { table: from }, to: { table: to, profile, region }, overwrite };
    const file = values.resume === undefined ? undefined : copyPlace(values.resume, tables);
    const place = file?.load();
    const { read, written } = await withAws(() =>
      copyItems({ ...tables, place }, (done) => {
        file?.save(done);
        if (io.stderr.isTTY) io.stderr.write(`\r\x1b[K${done.read} read, ${done.written} written`);
      }),
    );
    file?.remove();
    if (io.stderr.isTTY) io.stderr.write("\r\x1b[K");
    io.stdout.write(`${printable(from)} → ${printable(to)}: ${read} read, ${written} written\n`);
    return 0;
  },
};
