import { z } from "zod";
import { controlCharacters } from "./control-characters.ts";

/** Something that can be seen: U+2800 is a pattern of Braille without dots, and some letters are fillers. */
const visibleCharacter = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * A title as people give it: one line, as it stands in the subjects of mails and in lists beside others. The marks of
 * direction that single words need (U+200E, U+200F) may be in it.
 * @param most characters (UTF-16)
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
