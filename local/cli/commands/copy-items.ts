import { InputError } from "../../../shared/core/errors.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import type { Command } from "./command.ts";
import { copyPlace } from "./copy-place.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather copy-items FROM [TO] [options]

Copies the items of the DynamoDB table FROM to the table TO, in eight parallel segments: for example, from a table
that was restored to a point in time, or to another account. Items that TO already has are not changed, so the command
can be repeated. With --to-profile or --to-region, TO defaults to the name of FROM.

  --to-profile NAME   the AWS CLI profile of the account that has TO; for FROM, the credentials of the environment are used
  --to-region REGION  the region of TO
  --overwrite         replace the items that TO already has
  --resume FILE       store the position in FILE, so that the same command resumes the copy; FILE is deleted at the end
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
      throw new InputError("FROM", positionals.join(" "), "must be one or two table names: FROM [TO]");
    }
    const [profile, region] = [values["to-profile"], values["to-region"]];
    if (from === to && profile === undefined && region === undefined) {
      throw new InputError("TO", to, "must differ from FROM, unless --to-profile or --to-region is given");
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
