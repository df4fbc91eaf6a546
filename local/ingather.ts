import { runCommandLine } from "./command-line/run-command-line.ts";
import { watchOutput } from "./command-line/watch-output.ts";
import { stopOnSignals } from "./stop-signals.ts";

const stop = stopOnSignals();
const { stdin, stdout, stderr } = process;
const output = watchOutput({ stdout, stderr }, () => stop.abort());
const code = await runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });

// All is written by then, and everything of ours closed; a wait that is still under way must not keep us.
process.exit(await output.finish(code));
