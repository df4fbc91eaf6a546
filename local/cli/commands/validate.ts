import { InputError } from "../../../shared/core/errors.ts";
import { describeChoices, exampleOf } from "../../../shared/core/field-table.ts";
import { oneLine } from "../../../shared/core/one-line.ts";
import { validationRuleFields } from "../../../shared/deliver/validation/rule-fields.ts";
import type { RuleFile } from "../../../shared/deliver/validation/rule-file.ts";
import { compileRules } from "../../../shared/deliver/validation/rule-set.ts";
import {
  validateBySourceInRecord,
  zederIdOf,
} from "../../../shared/deliver/validation/validate-from-record.ts";
import { controlFieldValue } from "../../../shared/marc/fields.ts";
import type { MalformedRecord } from "../../../shared/marc/read-outcome.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { Command, CommandIo } from "./command.ts";
import { OutcomeFiles } from "./outcome-files.ts";
import { openRecordFile, type RecordFile } from "./record-file.ts";
import { type ValidatedRecord, ValidationReport } from "./validation-report.ts";
import { readValidationRuleFile } from "./validation-rule-file.ts";

const usage = `npx ingather validate RECORDS.xml|.mrc --rules RULES.json [options]

Validates each record and reports it as valid, online-first or refused, with the reasons. RECORDS is a MARCXML or ISO
2709 file of any size, or - for standard input. A record names its source in the field ZID $a.

  --rules FILE  {"sources": {"ZID": "name"}, "rules": [RULE, …]}, where RULE is such as
                ${JSON.stringify(exampleOf(validationRuleFields))};
                ${describeChoices(validationRuleFields).join("; ")};
                "source": null applies a rule to all sources; without "sources", any ZID is accepted. As soon as one
                rule is about a kind of record, each field of such records needs a rule, except 001, 003, 007, 245 and
                655. Start from docs/validation-rules.example.json
  --out DIR     write valid.xml, online_first.xml, delinquent.xml, and the reasons as delinquent.log; replaces the files
                of an earlier run
  --json        one JSON object per record: {"id", "outcome", "reasons"}; the summary goes to standard error
  --help        show this

An unreadable record counts as refused, with its position as the reason. It is listed in delinquent.log, but is not in
any XML file; reading continues with the next record. MARCXML may be in UTF-8, UTF-16, ISO-8859-1 or windows-1252; ISO
2709 may be in UTF-8 or MARC-8.
Exit code: 0 no record is refused, 1 some are, 2 wrong use or unreadable input, 130 stopped by
Ctrl-C, 143 by SIGTERM.
`;

interface Options {
  records: string;
  rules: RuleFile;
  out: string | undefined;
  json: boolean;
}

export const validateCommand: Command = {
  usage,
  async run(args, io) {
    const options = await readOptions(args);
    const input = await openRecordFile("RECORDS", options.records, io.stdin);
    try {
      return await validateAll(input, options, io);
    } finally {
      await input.close();
    }
  },
};

/** Validates all records. @returns the exit code */
async function validateAll(
  input: RecordFile,
  { records: name, rules, out, json }: Options,
  io: CommandIo,
): Promise<number> {
  const files = out === undefined ? undefined : new OutcomeFiles(out, name);
  const report = new ValidationReport(io, {
    json,
    sizeBytes: input.sizeBytes,
    nowMs: () => performance.now(),
  });
  const validate = validatorFor(rules);
  const problems: string[] = [];
  for await (const read of input.outcomes()) {
    if (io.signal.aborted) break;
    if (read.type === "broken") {
      problems.push(read.reason);
      continue;
    }
    const validated = read.type === "record" ? validate(read.record) : unreadable(read);
    if (read.type === "record") files?.add(read.record, validated.outcome);
    files?.addReasons(validated.id, validated.reasons);
    report.add(validated, input.bytesRead());
  }
  files?.end();
  const isClean = report.finish();
  if (problems.length > 0) throw new InputError("RECORDS", name, problems.join("; "));
  if (io.signal.aborted) return stoppedExitCode(io.signal);
  return isClean ? 0 : 1;
}

function validatorFor({ sources, rules }: RuleFile): (record: MarcRecord) => ValidatedRecord {
  const names = new Map(Object.entries(sources));
  const options = { sources: new Set(names.keys()), rules: compileRules(rules) };
  return (record) => {
    const { outcome, findings } = validateBySourceInRecord(record, options);
    return {
      id: controlFieldValue(record, "001") ?? "",
      source: outcome === "delinquent" ? (names.get(zederIdOf(record) ?? "") ?? "") : "",
      outcome,
      reasons: findings.map(({ reason }) => oneLine(reason)),
    };
  };
}

function unreadable({ controlNumber = "", reason }: MalformedRecord): ValidatedRecord {
  return { id: controlNumber, source: "", outcome: "delinquent", reasons: [oneLine(reason)] };
}

/** @throws InputError */
async function readOptions(args: string[]): Promise<Options> {
  const { values, positionals } = parseArguments(args, {
    rules: { type: "string" },
    out: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const [records, ...more] = positionals;
  if (records === undefined) throw new InputError("RECORDS", "", "must name a file of records");
  if (more.length > 0) throw new InputError("RECORDS", more.join(" "), "must be a single file");
  if (values.rules === undefined) throw new InputError("--rules", "", "must name a file of rules");
  return { records, rules: await readValidationRuleFile(values.rules), out: values.out, json: values.json };
}
