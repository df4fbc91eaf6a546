import type { FunctionLog } from "../cloud/lambda/function-log.ts";
import { colored } from "../colors.ts";
import { LiveLine } from "./live-line.ts";

/** Shows the progress of a run, if the output is a terminal. */
export const live = process.stdout.isTTY ? new LiveLine(process.stdout) : undefined;

export function printLine(line: string): void {
  live?.clear();
  console.log(line);
}

export function printProblem(problem: string, color: "red" | "yellow"): void {
  live?.clear();
  console.error(colored(color, problem, process.stderr));
}

/** Prints the errors that functions log, so that users need not open the logs. */
export function printFunctionError({ functionName, level, message, error, detail }: FunctionLog): void {
  if (level !== "ERROR" && level !== "FATAL") return;
  // The runtime logs errors at load time as objects.
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const parts = [functionName, message, error, detail].filter((part) => part !== undefined).map(text);
  printProblem(parts.join(": "), "yellow");
}
