import { openAsBlob, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { createOwnHttp, type OwnResponse } from "../../../shared/adapters/sign-in/own-http.ts";
import { InputError, PlatformError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { connectApi } from "./ask-api.ts";
import { type Command, CommandFailure, type CommandIo } from "./command.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather upload FILE --source ID [options]

Uploads a file to a source of the type UPLOAD, and prints the outcome of each record and file in it. FILE is a MARCXML file (.xml),
MARC-21 records (.mrc, .marc), or an archive (.zip). With --dry-run, the file is compared with the stored documents, converted, and
not stored.

A deployment is named by the environment: INGATHER_API_URL, INGATHER_TOKEN_URL, INGATHER_CLIENT_ID and
INGATHER_CLIENT_SECRET. Without them, the command uses a running npm start.

  --source ID    the source
  --dry-run      print what would become of each record, and store nothing
  --state DIR    the state folder of npm start (default .ingather)
  --json         one JSON object per record and file, then a summary
  --help         show this

If the command is stopped, an upload that is being read is read to its end; its id was printed on standard error.
Exit code: 0 all were accepted; 1 some were refused, the upload could not be read, or the API does not answer; 2 wrong use;
130 stopped by Ctrl-C, 143 by SIGTERM.
`;

const contents: Record<string, string> = { xml: "marcxml", mrc: "iso2709", marc: "iso2709", zip: "zip" };

/** The time for which the URL of a file is valid. */
const sendingMs = 3_600_000;
const pollMs = 1000;

const outcome = z.object({
  type: z.string(),
  name: z.string(),
  outcome: z.string(),
  reason: z.string().optional(),
  record: z.string().optional(),
  recordReason: z.string().optional(),
});
const started = z.object({ uploadId: z.string(), files: z.array(z.object({ url: z.url() })) });
const read = z.object({
  status: z.string(),
  problem: z.string().optional(),
  counts: z.record(z.string(), z.unknown()).optional(),
  outcomes: z.array(outcome),
  next: z.string().optional(),
});
const problem = z.object({ detail: z.string() });

export const uploadCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      source: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      state: { type: "string", default: ".ingather" },
      json: { type: "boolean", default: false },
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new InputError("FILE", positionals.join(" "), "must be a single file");
    const content = contents[path.split(".").at(-1)?.toLowerCase() ?? ""];
    if (content === undefined)
      throw new InputError("FILE", path, `must end with one of .${Object.keys(contents).join(", .")}`);
    if (!values.source) throw new InputError("--source", values.source, "must be the id of a source");
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      throw new InputError("FILE", path, "must be a file that exists");
    const given = {
      sourceId: values.source,
      content,
      file: await openAsBlob(path),
      dryRun: values["dry-run"],
    };
    try {
      const ask = connectApi(values.state, io.signal);
      const uploadId = await send({ ...given, signal: io.signal }, ask);
      io.stderr.write(`upload ${uploadId} is being read\n`);
      return await printOutcomes(`/documents/uploads/${uploadId}`, { ask, io, ...values });
    } catch (error) {
      if (io.signal.aborted) return stoppedExitCode(io.signal);
      if (!(error instanceof PlatformError)) throw error;
      throw new CommandFailure(error.message, 1);
    }
  },
};

type Ask = ReturnType<typeof connectApi>;

/** Sends the file. @returns the id of the upload, which is being read */
async function send(
  {
    sourceId,
    content,
    file,
    dryRun,
    signal,
  }: { sourceId: string; content: string; file: Blob; dryRun: boolean; signal: AbortSignal },
  ask: Ask,
): Promise<string> {
  const path = `/documents?dryRun=${dryRun}`;
  const answer = await ask({ method: "POST", path, body: { sourceId, content } });
  const { uploadId, files } = accepted(answer, started);
  for (const { url } of files) {
    const http = createOwnHttp([new URL(url).origin]);
    const sent = await http({ method: "PUT", url, body: file, timeoutMs: sendingMs, signal });
    if (sent.status !== 200)
      throw new CommandFailure(`the file was not accepted: ${sent.status} ${sent.body.slice(0, 200)}`, 1);
  }
  accepted(await ask({ method: "POST", path: `/documents/uploads/${uploadId}/complete` }), z.unknown());
  return uploadId;
}

/** Waits until the upload has been read, and prints its outcomes. @returns the exit code */
async function printOutcomes(
  path: string,
  { ask, io, ...values }: { ask: Ask; io: CommandIo; json: boolean; "dry-run": boolean },
): Promise<number> {
  let after = "";
  let refused = 0;
  for (;;) {
    const answer = await ask({ method: "GET", path: `${path}?limit=1000${after}` });
    if (answer.status === 202) {
      await wait(pollMs, undefined, { signal: io.signal });
      continue;
    }
    const page = accepted(answer, read);
    for (const each of page.outcomes) {
      refused += each.outcome === "refused" ? 1 : 0;
      io.stdout.write(`${values.json ? JSON.stringify(each) : printable(lineOf(each))}\n`);
    }
    if (page.next !== undefined) {
      after = `&after=${page.next}`;
      continue;
    }
    const { status, counts = {}, problem: why } = page;
    const dryRun = values["dry-run"];
    const complete = status === "done" && why === undefined;
    if (values.json)
      io.stdout.write(`${JSON.stringify({ type: "summary", complete, dryRun, ...counts, problem: why })}\n`);
    else
      io.stdout.write(
        `${counts.documents ?? 0} documents, ${counts.files ?? 0} files, ${refused} refused${dryRun ? "; nothing is stored (--dry-run)" : ""}\n`,
      );
    if (why !== undefined) io.stderr.write(`${printable(why)}\n`);
    return complete && refused === 0 ? 0 : 1;
  }
}

function lineOf({
  outcome: done,
  type,
  name,
  reason,
  record,
  recordReason,
}: z.output<typeof outcome>): string {
  const details = [reason, record && `record ${record}`, recordReason].filter((each) => each !== undefined);
  return `${done.padEnd(9)} ${type} ${name}${details.length === 0 ? "" : `: ${details.join(", ")}`}`;
}

/** @throws CommandFailure when the API refuses the request */
function accepted<Schema extends z.ZodType>({ status, body }: OwnResponse, schema: Schema): z.output<Schema> {
  const answer = parseJson(body);
  const parsed = schema.safeParse(answer);
  if (status >= 300 || !parsed.success) {
    const detail = problem.safeParse(answer).data?.detail ?? body.slice(0, 200);
    throw new CommandFailure(`The API answers ${status}: ${detail}`, 1);
  }
  return parsed.data;
}
