import {
  type Answer,
  envelope,
  errorPage,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";

/** How a repository behaves; without options it is without fault. */
export interface Behaviour {
  identify?: string;
  formats?: string;
  records?: number;
  pageSize?: number;
  datestamp?: (n: number) => string;
  metadata?: (n: number) => string;
  deleted?: readonly number[];
  announced?: (records: number) => number | undefined;
  setSpec?: string;
  /** Replaces the response to some requests. */
  instead?: Instead;
}

/** Undefined: the right response. */
type Instead = (
  args: Readonly<Record<string, string>>,
  nth: number,
  right: () => string,
) => Answer | string | undefined;

export const now = new Date("2026-05-01T10:00:00Z");

const identity = `<repositoryName>Model</repositoryName><baseURL>http://r.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@r.example</adminEmail><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>`;

/** Identify with other elements. */
export function identityWith(changes: Record<string, string>): string {
  return Object.entries(changes).reduce(
    (xml, [name, value]) =>
      xml.replace(new RegExp(`<${name}>.*?</${name}>`), value === "" ? "" : `<${name}>${value}</${name}>`),
    identity,
  );
}

const format = (prefix: string, namespace: string) =>
  `<metadataFormat><metadataPrefix>${prefix}</metadataPrefix><schema>s</schema><metadataNamespace>${namespace}</metadataNamespace></metadataFormat>`;
export const oaiDc = format("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/");
export const mods = format("mods", "http://www.loc.gov/mods/v3");

const dublinCore = (n: number) =>
  `<d:dc xmlns:d="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:e="http://purl.org/dc/elements/1.1/"><e:title>T${n}</e:title><e:creator>C</e:creator><e:date>2020</e:date><e:identifier>https://r.example/${n}</e:identifier><e:language>en</e:language><e:type>text</e:type><e:rights>free</e:rights></d:dc>`;

/** A repository as the specification has it, but for its behaviour. */
export function modelRepository(behaviour: Behaviour = {}): Script {
  const {
    identify = identity,
    formats = oaiDc,
    records = 12,
    pageSize = 5,
    datestamp = (n) => `2026-04-${String(1 + (n % 28)).padStart(2, "0")}T08:00:00Z`,
    metadata = dublinCore,
    deleted = [],
    announced = (count) => count,
    setSpec = "s",
    instead,
  } = behaviour;
  const all = Array.from({ length: records }, (_, n) => n);
  const header = (n: number) =>
    `<header${deleted.includes(n) ? ' status="deleted"' : ""}><identifier>oai:r:${n}</identifier><datestamp>${datestamp(n)}</datestamp><setSpec>${setSpec}</setSpec></header>`;
  const record = (n: number) =>
    `<record>${header(n)}${deleted.includes(n) ? "" : `<metadata>${metadata(n)}</metadata>`}</record>`;
  const page = (verb: string, args: Readonly<Record<string, string>>) => {
    const { resumptionToken, from = "", until = "~" } = args;
    const token = /^(.*)\|(.*)\|(\d+)$/.exec(resumptionToken ?? `${from}|${until}|0`);
    if (token === null) return errorPage("badResumptionToken");
    if (resumptionToken === undefined && args.metadataPrefix === undefined) return errorPage("badArgument");
    const [, begin = "", end = "", at = "0"] = token;
    const listed = all.filter((n) => datestamp(n) >= begin && datestamp(n).slice(0, end.length) <= end);
    if (listed.length === 0) return errorPage("noRecordsMatch");
    const next = Number(at) + pageSize;
    const size = announced(listed.length);
    const attribute = size === undefined ? "" : ` completeListSize="${size}"`;
    const more = next < listed.length ? `${begin}|${end}|${next}` : "";
    const isPaged = more !== "" || Number(at) > 0;
    const entries = listed.slice(Number(at), next).map(verb === "ListRecords" ? record : header);
    const closing = isPaged ? `<resumptionToken${attribute}>${more}</resumptionToken>` : "";
    return envelope(`<${verb}>${entries.join("")}${closing}</${verb}>`);
  };
  const answer = (args: Readonly<Record<string, string>>): string => {
    const { verb = "", identifier } = args;
    switch (verb) {
      case "Identify":
        return envelope(`<Identify>${identify}</Identify>`);
      case "ListMetadataFormats":
        return envelope(`<ListMetadataFormats>${formats}</ListMetadataFormats>`);
      case "ListSets":
        return envelope("<ListSets><set><setSpec>s</setSpec><setName>S</setName></set></ListSets>");
      case "GetRecord": {
        const n = all.find((each) => `oai:r:${each}` === identifier);
        return n === undefined
          ? errorPage("idDoesNotExist")
          : envelope(`<GetRecord>${record(n)}</GetRecord>`);
      }
      case "ListRecords":
      case "ListIdentifiers":
        return page(verb, args);
      default:
        return errorPage("badVerb");
    }
  };
  return (args, nth) => instead?.(args, nth, () => answer(args)) ?? answer(args);
}
