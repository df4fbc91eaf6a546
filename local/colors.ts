import { styleText } from "node:util";

type Style = "red" | "green" | "yellow" | "dim";

/** Whether an output shows colours: a terminal that nobody has asked for none. @see https://no-color.org */
function showsColors(
  output: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if ((env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "") !== "") return env.FORCE_COLOR !== "0";
  return output.isTTY === true && env.TERM !== "dumb";
}

/** The text in a colour, for an output that shows colours. */
export function colored(
  style: Style,
  text: string,
  output: { isTTY?: boolean },
  env?: Readonly<Record<string, string | undefined>>,
): string {
  return showsColors(output, env) ? styleText(style, text, { validateStream: false }) : text;
}
