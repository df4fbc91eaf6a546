import { hostname } from "node:os";
import { InputError } from "../../../shared/core/errors.ts";
import { pluralize } from "../../../shared/core/pluralize.ts";
import { importConfiguration } from "../../../shared/records/sources/conf/import-configuration.ts";
import {
  describeOtherImport,
  type ImportSummary,
  isCompleted,
  summarizeImport,
} from "../../../shared/records/sources/conf/import-summary.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { Command, CommandIo } from "./command.ts";
import { readConfigurationFile } from "./configuration-file.ts";
import { locationOptions, locationUsage, parseLocation, withConfiguration } from "./open-configuration.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather import X.conf [options]

Imports the settings, groups and journals of a zotero_harvester.conf. Unchanged items are not written. Journals of an
earlier import that are no longer in the file are removed. If a journal's section has a problem, its stored version is
kept and the import removes nothing.

  --maps DIR    the folder of the name blacklist, the keywords for 655 and the licences
                (default: the folder that the file names; missing lists keep their stored values)
  --dry-run     print the changes, but write nothing
  --allow-removals
                also remove: more than 5 sources that are more than a tenth of all sources, groups with a receiver, and
                missing items although a section has a problem
  --strict      refuse the whole file if it has any problem
${locationUsage}
  --json        one JSON object with all changes, warnings, problems and skipped journals
  --help        show this

Exit code: 0 imported, 1 the file is refused (each problem is printed with its line), 2 wrong use, or another import is
in progress, 3 imported except the journals whose sections have problems (each problem is printed with its line), 4 the
deployed table cannot be reached, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

/** The maximum number of additions printed. Changes and removals are always printed. */
const maxAdditionsShown = 20;

export const importCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      maps: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "allow-removals": { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      ...locationOptions,
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) {
      throw new InputError("X.conf", positionals.join(" "), "must be a single configuration file");
    }
    const input = await readConfigurationFile("X.conf", path, values.maps);
    const dryRun = values["dry-run"];
    const { signal } = io;
    const work = withConfiguration(parseLocation(values), { isReadOnly: dryRun }, (ports) =>
      importConfiguration(input, ports, {
        dryRun,
        allowRemovals: values["allow-removals"],
        isStrict: values.strict,
        signal,
        by: `npx ingather import, process ${process.pid} on ${hostname()}`,
        now: () => new Date(),
      }),
    );
    const outcome = await work.catch((error: unknown) => {
      if (!signal.aborted || error !== signal.reason) throw error;
    });
    if (outcome === undefined) {
      io.stderr.write("The import is stopped: the same import does the rest.\n");
      return stoppedExitCode(signal);
    }
    if (!isCompleted(outcome)) {
      io.stderr.write(`${printable(describeOtherImport(outcome))}\n`);
      return 2;
    }
    const summary = summarizeImport(outcome);
    if (values.json) io.stdout.write(`${JSON.stringify(summary)}\n`);
    else printSummary(summary, { path, dryRun }, io);
    if (summary.type === "refused") return 1;
    return summary.unusable === undefined ? 0 : 3;
  },
};

function printSummary(
  summary: ImportSummary,
  { path, dryRun }: { path: string; dryRun: boolean },
  { stdout, stderr }: CommandIo,
): void {
  const { changes = [], warnings, problems = [], unusable = [], version } = summary;
  for (const warning of warnings) stderr.write(`warning: ${printable(warning)}\n`);
  for (const { line, message } of problems) stderr.write(`${printable(`${path}:${line}: ${message}`)}\n`);
  if (summary.type === "refused") {
    stderr.write(`nothing is imported: ${pluralize(problems.length, "problem")}\n`);
    return;
  }
  for (const { title, line, kept } of unusable) {
    const effect = kept.length === 0 ? "not imported" : `${kept.join(", ")}: left as stored`;
    stderr.write(
      `${printable(`${path}:${line}: section ${JSON.stringify(title)} cannot be used: ${effect}`)}\n`,
    );
  }
  const ofType = (type: string) => changes.filter((change) => change.type === type);
  const added = ofType("added");
  for (const change of [...added.slice(0, maxAdditionsShown), ...ofType("changed"), ...ofType("removed")]) {
    const { type, kind, id, title, fields } = change;
    const what = title === undefined ? `${kind} ${id}` : `${kind} ${id} (${title})`;
    stdout.write(
      `${type.padEnd(7)} ${printable(what)}${fields === undefined ? "" : `: ${fields.join(", ")}`}\n`,
    );
  }
  if (added.length > maxAdditionsShown)
    stdout.write(`  … and ${added.length - maxAdditionsShown} more added\n`);
  stdout.write(
    `${printable(path)}: ${pluralize(summary.sources ?? 0, "source")} of ${pluralize(summary.groups ?? 0, "group")}\n`,
  );
  const counts = `${added.length} added, ${ofType("changed").length} changed, ${ofType("removed").length} removed, ${summary.unchanged} unchanged`;
  const written =
    version === undefined
      ? dryRun
        ? "nothing is written (--dry-run)"
        : "nothing to write"
      : `version ${version}`;
  const leftOut = unusable.length === 0 ? "" : `; ${pluralize(unusable.length, "section")} left out`;
  stdout.write(`${counts}${leftOut}; ${written}\n`);
}
