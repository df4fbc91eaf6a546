import { withoutBidiControls } from "./control-characters.ts";

/**
 * Returns a text as one line without direction controls. Texts that quote records and hosts may contain any character.
 */
export function oneLine(text: string): string {
  return withoutBidiControls(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
