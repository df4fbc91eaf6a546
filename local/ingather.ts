import { runCommandLine } from "./cli/commands/run-command-line.ts";
import { watchOutput } from "./cli/commands/watch-output.ts";
import { stopOnSignals } from "./stop-signals.ts";

const stop = stopOnSignals();
const { stdin, stdout, stderr } = process;
const output = watchOutput({ stdout, stderr }, () => stop.abort());
const code = await runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });

// All output is written and all resources are closed. A pending timer must not keep the process alive.
process.exit(await output.finish(code));
