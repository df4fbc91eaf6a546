import * as z from "zod";
import { inParallel } from "../../core/in-parallel.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type AddressPolicy, admitUrl } from "../address/admit-url.ts";

/**
 * The response of a translation server to a page that lists several articles (status 300). The object is posted back
 * with the choices to take, which are named by URL or DOI.
 */
const choices = z.looseObject({ items: z.record(z.string(), z.unknown()) });
export type Choices = z.output<typeof choices>;

/** A choice that is not posted back: its name, shortened, and why. */
interface SkippedChoice {
  entry: string;
  reason: string;
}

/** The most choices per call. The original harvester found that the server fails with more. */
export const maxChoices = 400;

/** Short enough that a response with all skipped choices fits into a message. */
const entryMaxChars = 200;

const maxConcurrentLookups = 16;

/** The offered object with all its fields, because it is posted back unchanged; undefined when the bytes hold none. */
export function readChoices(bytes: Uint8Array): Choices | undefined {
  const json = parseJson(bytes);
  return choices.safeParse(json).success ? (json as Choices) : undefined;
}

/**
 * Divides choices into those to post back and those to skip. The server requests their URLs itself, so each URL must be one
 * that the gate may request. Names that are not URLs, such as DOIs, are always admitted.
 * @param page the base of relative URLs
 * @param lookUp why a host's addresses are refused; called once for each host
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
