import { Readable } from "node:stream";
import { runCommandLine } from "../../../../local/cli/commands/run-command-line.ts";

/** Runs a command in this process, and gives what it wrote and its exit code. */
export async function runCommand(
  args: string[],
  {
    terminal = false,
    stdin = "",
    signal = new AbortController().signal,
  }: { terminal?: boolean; stdin?: string | Buffer; signal?: AbortSignal } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written) => ({
    write: (chunk: string | Uint8Array) => {
      written[name] += Buffer.from(chunk).toString("utf8");
    },
    isTTY: terminal,
    columns: 70,
  });
  const code = await runCommandLine(args, {
    stdin: Readable.from([stdin]),
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal,
  });
  return { code, ...written };
}

/** The values of an output with a JSON value per line. */
export function jsonLines(text: string) {
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}
