import * as z from "zod";
import type { MetadataCreator } from "../article-metadata.ts";
import { maxCreators } from "../limits.ts";
import { plainText } from "../plain-text.ts";
import type { ZoteroItem } from "../zotero-item.ts";

/** What a registration agency knows about a DOI. */
export interface RegisteredWork {
  /** The metadata, with the ORCID iDs of the creators. The URL is omitted, because it is that of the DOI. */
  item: ZoteroItem & { creators: MetadataCreator[] };
  licences: RegisteredLicence[];
  notices: Notice[];
}

export interface RegisteredLicence {
  url: string;
  /** The day from which it applies, YYYY-MM-DD. */
  from?: string;
}

/** A retraction or correction. */
export interface Notice {
  kind: "retracted" | "corrected";
  /** The type as the agency names it, such as `retraction` or `erratum`. */
  type: string;
  /** The DOI of the article that is retracted or corrected. */
  of: string;
  /** The DOI of the notice. */
  by: string;
  /** YYYY-MM-DD. */
  day?: string;
}

/** The largest number of notices and licences that are kept of a work. */
const maxListed = 10;

/** The largest work that is kept, as JSON in UTF-16. It is stored as one item of a table, which holds 400 KB. */
const maxWorkChars = 100_000;

/** A text, or undefined for anything else. Agencies pass on what publishers deposit. */
export const lenientText = z.string().optional().catch(undefined);

/** A list whose malformed elements are left out. */
export function lenientList<Element extends z.ZodType>(element: Element) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value) => {
        const parsed = element.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

/** Builds a work of bounded size from its parts, without empty fields. */
export function buildRegisteredWork(
  fields: Record<string, string | undefined>,
  more: { itemType: string; creators: MetadataCreator[]; tags?: string[] } & Omit<RegisteredWork, "item">,
): RegisteredWork {
  const texts = Object.entries(fields).flatMap(([name, value]) => {
    const text = plainText(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const { itemType, creators, tags = [], licences, notices } = more;
  const work: RegisteredWork = {
    item: {
      itemType,
      ...Object.fromEntries(texts),
      creators: creators.slice(0, maxCreators),
      tags: tags.slice(0, 100).map((tag) => ({ tag })),
    },
    licences: licences.slice(0, maxListed),
    notices: notices.slice(0, maxListed),
  };
  if (JSON.stringify(work).length <= maxWorkChars) return work;
  const { abstractNote: _long, tags: _many, ...item } = work.item;
  return { ...work, item: { ...item, itemType, creators: item.creators.slice(0, 100) } };
}
