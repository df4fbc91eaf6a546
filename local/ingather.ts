import { runCommandLine } from "./cli/commands/run-command-line.ts";
import { watchOutput } from "./cli/commands/watch-output.ts";
import { stopOnSignals } from "./stop-signals.ts";

const stop = stopOnSignals();
const { stdin, stdout, stderr } = process;
const output = watchOutput({ stdout, stderr }, () => stop.abort());
const code = await runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });

// Ends the process, because a pending timer must not keep it alive. All output is written, and all resources
// are closed.
process.exit(await output.finish(code));
