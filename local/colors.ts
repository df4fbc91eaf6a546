import { styleText } from "node:util";

type Style = "red" | "green" | "yellow" | "dim";

/**
 * Returns whether an output shows colours: it is a terminal, and the user has not disabled them. @see https://no-color.org
 */
function showsColors(
  output: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if ((env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "") !== "") return env.FORCE_COLOR !== "0";
  return output.isTTY === true && env.TERM !== "dumb";
}

/** Returns the text in a colour, for an output that shows colours. */
export function colored(
  style: Style,
  text: string,
  output: { isTTY?: boolean },
  env?: Readonly<Record<string, string | undefined>>,
): string {
  return showsColors(output, env) ? styleText(style, text, { validateStream: false }) : text;
}
