import * as z from "zod";
import { controlCharacters } from "../../core/control-characters.ts";

/** A setting that is written into records as it is: neither MARCXML nor ISO 2709 can hold control characters. */
export const recordText = z
  .string()
  .min(1)
  .refine((text) => !controlCharacters.test(text), "must have no line breaks or other control characters");
