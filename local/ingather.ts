import { runCommandLine } from "./command-line/run.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
// Whoever reads our lines may have seen enough, as `head` has.
process.stdout.on("error", () => stop.abort());

const { stdin, stdout, stderr } = process;
const code = await runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stop.signal });

// Everything of ours is closed by now; a wait that is still under way must not keep us.
process.exit(code);
