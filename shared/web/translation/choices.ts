import * as z from "zod";
import { inParallel } from "../../core/in-parallel.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type AddressPolicy, admitUrl } from "../address/admit-url.ts";

/**
 * The response of a translation server to a page that lists several articles (status 300). The client posts the object
 * back with the choices to take, which are named by URL or DOI.
 */
const choices = z.looseObject({ items: z.record(z.string(), z.unknown()) });
export type Choices = z.output<typeof choices>;

/** A choice that is not posted back: its shortened name, and the reason. */
interface SkippedChoice {
  entry: string;
  reason: string;
}

/** The largest number of choices per call. The original harvester found that the server fails with more choices. */
export const maxChoices = 400;

/** Short enough for a message that holds a response in which all choices are skipped. */
const entryMaxChars = 200;

const maxConcurrentLookups = 16;

/**
 * Returns the offered object with all its fields, because the object is posted back unchanged.
 * @returns undefined when the bytes contain no such object
 */
export function readChoices(bytes: Uint8Array): Choices | undefined {
  const json = parseJson(bytes);
  return choices.safeParse(json).success ? (json as Choices) : undefined;
}

/**
 * Divides choices into those to post back and those to skip. The server itself requests the URLs of choices, so each
 * URL must be one that the gate may request. Names that are not URLs, such as DOIs, are always admitted.
 * @param page the base of relative URLs
 * @param lookUp returns the reason why a host's addresses are refused; called once for each host
 */
export async function admitChoices(
  { items }: Choices,
  { page, addresses }: { page: string; addresses: AddressPolicy },
  lookUp: (url: URL) => Promise<string | undefined>,
): Promise<{ items: Choices["items"]; skippedChoices: SkippedChoice[] }> {
  const all = Object.entries(items);
  const lookups = new Map<string, Promise<string | undefined>>();
  const problemOf = async (name: string): Promise<string | undefined> => {
    const address = URL.parse(name, page)?.href ?? name;
    if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return undefined;
    const admission = admitUrl(address, addresses);
    if (admission.type === "refused") return `${admission.reason}: ${admission.detail}`;
    const { url } = admission;
    const looked = lookups.get(url.host) ?? lookUp(url);
    lookups.set(url.host, looked);
    return looked;
  };
  const problems = await inParallel(all.slice(0, maxChoices), maxConcurrentLookups, ([name]) =>
    problemOf(name),
  );
  const admitted = all.filter((_, index) => index < maxChoices && problems[index] === undefined);
  const refused = problems.flatMap((reason, index) => {
    const [name = ""] = all[index] ?? [];
    return reason === undefined
      ? []
      : [{ entry: name.slice(0, entryMaxChars), reason: `not requested (${reason})` }];
  });
  const beyond = all.length - maxChoices;
  const rest = { entry: `${beyond} more choices`, reason: `a list has at most ${maxChoices}` };
  return { items: Object.fromEntries(admitted), skippedChoices: beyond > 0 ? [...refused, rest] : refused };
}
