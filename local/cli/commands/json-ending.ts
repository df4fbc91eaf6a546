import { parseJson } from "../../../shared/core/parse-json.ts";
import type { CommandIo, Output } from "./command.ts";

/** The first exit code that stands for a signal. */
const firstSignalCode = 128;

/** Exit code for wrong use: nothing was begun. */
const wrongUseCode = 2;

/**
 * Completes the JSON output of a command that did not do all of its work.
 * It appends `{"complete": false, "reason"}` as the last line, unless the last value already says how
 * complete the output is. So a program that reads the JSON cannot mistake a part for the whole.
 */
export class JsonEnding {
  readonly io: CommandIo;
  private lastLine = "";
  private hasOutput = false;
  private lastMessage = "";

  constructor(given: CommandIo) {
    this.io = {
      ...given,
      stdout: watched(given.stdout, (text) => {
        this.hasOutput ||= text !== "";
        this.lastLine = lastLineOf(this.lastLine + text);
      }),
      stderr: watched(given.stderr, (text) => {
        this.lastMessage = text.trim().split("\n")[0] ?? "";
      }),
    };
  }

  /** Ends the output. @param code the exit code of the command */
  end(code: number): void {
    if (code === wrongUseCode || (code < firstSignalCode && (code === 0 || this.hasOutput))) return;
    const last = parseJson(this.lastLine);
    if (typeof last === "object" && last !== null && "complete" in last) return;
    const { reason } = this.io.signal;
    const why = code >= firstSignalCode && reason instanceof Error ? reason.message : this.lastMessage;
    // A truncated line is kept; the appended line gives the reason.
    const separator = this.hasOutput && !this.lastLine.endsWith("\n") ? "\n" : "";
    this.io.stdout.write(`${separator}${JSON.stringify({ complete: false, reason: why })}\n`);
  }
}

/** Returns whether the arguments of a command ask for JSON on standard output. */
export function asksForJson(args: readonly string[]): boolean {
  return (
    args.includes("--json") || args.includes("--output=json") || args[args.indexOf("--output") + 1] === "json"
  );
}

function watched(output: Output, onText: (text: string) => void): Output {
  return new Proxy(output, {
    get(target, name) {
      if (name !== "write") {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return (content: string | Uint8Array) => {
        onText(Buffer.from(content).toString("utf8"));
        return target.write(content);
      };
    },
  });
}

/** Returns the last line that is not empty, with the white space after it. */
function lastLineOf(text: string): string {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(text.lastIndexOf("\n", end - 1) + 1);
}
