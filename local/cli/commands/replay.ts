import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { findReplayComponent } from "../snapshots/replay/replay-component.ts";
import { serveReplay } from "../snapshots/replay/replay-server.ts";
import { replayedFile } from "../snapshots/replay/replayed-file.ts";
import { packCaptures } from "../snapshots/wacz/pack-captures.ts";
import type { Command, CommandIo } from "./command.ts";
import { describeUnresolved } from "./describe-unresolved.ts";
import { printable } from "./printable.ts";
import { parseWholeNumber } from "./whole-number-option.ts";

const usage = `npx ingather replay DIR… [FILE.warc[.gz]…] [--port N]
npx ingather replay FILE.wacz [--port N]

Serves captures to a browser on this machine only, until Ctrl-C. Nothing is requested from the captured sites. A
capture that was made with --index refers to earlier captures: also name the folders of these captures, or the WARC
files of their crawler.

  --port N         listen on this port (default: a free one)
  --help           show this

Exit code: 0 ended by Ctrl-C or SIGTERM, 2 wrong use.
`;

export const replayCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, { port: { type: "string" } });
    const [first] = positionals;
    if (first === undefined) throw new InputError("DIR", undefined, "is required: npx ingather replay DIR…");
    const port = parseWholeNumber("--port", values.port ?? "0", { max: 65_535 });
    if (positionals.length === 1 && existsSync(first) && statSync(first).isFile()) {
      if (!first.endsWith(".wacz"))
        throw new InputError("FILE.wacz", first, "must be a WACZ file or a folder");
      return serve(first, { title: basename(first), port }, io);
    }
    const folder = mkdtempSync(join(tmpdir(), "ingather-replay-"));
    try {
      const wacz = join(folder, "capture.wacz");
      const { unresolved } = await packCaptures(positionals, wacz);
      io.stderr.write(describeUnresolved(unresolved));
      const title = positionals.map((each) => basename(resolve(each))).join(", ");
      return await serve(wacz, { title, port }, io);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function serve(
  wacz: string,
  { title, port }: { title: string; port: number },
  { stdout, signal }: CommandIo,
): Promise<number> {
  const component = findReplayComponent();
  const { port: listening, server } = await serveReplay({
    captures: replayedFile(wacz, title),
    component: () => component,
    port,
  });
  stdout.write(`${printable(title)}: http://127.0.0.1:${listening}/ (Ctrl-C stops it)\n`);
  await new Promise<void>((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  return 0;
}
