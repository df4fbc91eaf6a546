import * as z from "zod";
import { controlCharacters } from "./control-characters.ts";

/** A visible character. U+2800 is a Braille pattern without dots, and some letters are invisible fillers. */
const visibleCharacter = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * Returns the schema of a title that people enter. A title is one line, because lists and the subjects of mails show
 * it. It may contain the direction marks U+200E and U+200F, which some words need.
 * @param most the largest number of characters (UTF-16)
 */
export function titleSchema(most: number) {
  return z
    .string()
    .max(most)
    .refine(
      (text) => !controlCharacters.test(text) && text.isWellFormed(),
      "must not have line breaks or other control characters",
    )
    .refine((text) => visibleCharacter.test(text), "must have a character that can be seen");
}
