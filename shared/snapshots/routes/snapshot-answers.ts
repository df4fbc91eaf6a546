import * as z from "zod";
import { problem } from "../../api/answer.ts";

export const definitionParams = z.strictObject({
  id: z.string().min(1).max(64).describe("The id of a definition"),
});

export const notAllowedNow = problem("The state does not allow this call; `detail` says why");
