import * as z from "zod";
import { InputError, PlatformError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { connectApi } from "./ask-api.ts";
import type { Command } from "./command.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather skip RUN SOURCE --reason TEXT [options]

Ends a source that a run waits for. The run continues without it, and delivers what has been read of it. The next run reads
the rest. A skip cannot be undone: POST /runs with the source in sourceIds reads the rest now. A source that has ended is
unchanged. GET /today lists what runs wait for.

A deployment is named by the environment: INGATHER_API_URL, INGATHER_TOKEN_URL, INGATHER_CLIENT_ID and
INGATHER_CLIENT_SECRET. Without them, the command uses a running npm start.

  --reason TEXT  why, for the report of the run
  --state DIR    the state folder of npm start (default .ingather)
  --help         show this

Exit code: 0 the run does not wait for the source; 1 the API refuses the skip or does not answer; 2 wrong use;
130 stopped by Ctrl-C, 143 by SIGTERM.
`;

const problem = z.object({ detail: z.string() });

export const skipCommand: Command = {
  usage,
  async run(args, { stdout, stderr, signal }) {
    const { values, positionals } = parseArguments(args, {
      reason: { type: "string" },
      state: { type: "string", default: ".ingather" },
    });
    const [runId, sourceId, ...more] = positionals;
    if (runId === undefined || sourceId === undefined || more.length > 0)
      throw new InputError(
        "RUN SOURCE",
        positionals.join(" "),
        "must be the id of a run and that of a source",
      );
    const reason = values.reason?.trim();
    if (!reason) throw new InputError("--reason", values.reason, "must say why, for the report");
    try {
      const path = `/runs/${encodeURIComponent(runId)}/sources/${encodeURIComponent(sourceId)}/skip`;
      const ask = connectApi(values.state, signal);
      const { status, body } = await ask({ method: "POST", path, body: { reason } });
      if (status === 204) {
        stdout.write(`${printable(`${runId} does not wait for ${sourceId}`)}\n`);
        return 0;
      }
      const detail = problem.safeParse(parseJson(body)).data?.detail ?? body.slice(0, 200);
      stderr.write(`${printable(`The API answers ${status}: ${detail}`)}\n`);
      return 1;
    } catch (error) {
      if (signal.aborted) return stoppedExitCode(signal);
      if (!(error instanceof PlatformError)) throw error;
      stderr.write(`${printable(error.message)}\n`);
      return 1;
    }
  },
};
