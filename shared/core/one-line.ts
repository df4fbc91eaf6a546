import { withoutBidiControls } from "./control-characters.ts";

/** Text in one line that is shown in the order in which it is written: what quotes records and hosts may hold anything. */
export function oneLine(text: string): string {
  return withoutBidiControls(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
