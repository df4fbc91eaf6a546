import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";

/**
 * A setting that is copied unchanged into records. Control characters are refused, because neither MARCXML nor ISO 2709
 * can contain them.
 */
export const recordText = z
  .string()
  .min(1)
  .refine((text) => !controlCharacters.test(text), "must have no line breaks or other control characters");
