import { join } from "node:path";
import * as z from "zod";
import { InputError } from "../../shared/core/errors.ts";
import { parseInput } from "../../shared/core/schema-problems.ts";
import { readJsonFile } from "../cli/commands/read-json-file.ts";

/** The kinds of events, with the fields that all events of a kind have. */
const eventKinds = {
  "messages of a queue": z.object({
    Records: z
      .array(
        z.object({
          messageId: z.string(),
          receiptHandle: z.string(),
          body: z.string(),
          attributes: z.record(z.string(), z.string()),
        }),
      )
      .min(1),
  }),
  "a request to the API": z.object({
    rawPath: z.string(),
    headers: z.record(z.string(), z.string()),
    requestContext: z.object({ http: z.object({ method: z.string() }) }),
  }),
  "an object, as of a schedule": z.object({
    Records: z.undefined().optional(),
    rawPath: z.undefined().optional(),
  }),
};
type EventKind = keyof typeof eventKinds;
const eventKindNames = Object.keys(eventKinds) as EventKind[];

/**
 * Reads a function's event from a file. The event must have the same kind as the function's sample in
 * `events/`.
 * @param name the function's name, without prefix
 * @throws InputError that names the file and the problem
 */
export async function readEvent(file: string, name: string): Promise<unknown> {
  const [event, sample] = await Promise.all([
    readJsonFile("EVENT.json", file),
    readJsonFile("sample", join(import.meta.dirname, "../../events", `${name}.json`)),
  ]);
  const kind = eventKindNames.find((each) => eventKinds[each].safeParse(sample).success);
  if (kind === undefined) throw new Error(`the sample of ${name} does not have a known kind`);
  try {
    parseInput(eventKinds[kind], event);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      "EVENT.json",
      file,
      `is not an event of ${name}, which is invoked with ${kind}: ${error.message}`,
    );
  }
  return event;
}
