import { fill, hugeVariants } from "./variants.ts";

const envelope = (content: string) =>
  `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>{{responseDate:2026-01-02T00:00:00Z}}</responseDate><request>{{request:https://o.example/}}</request>${content}</OAI-PMH>`;

const identify = envelope(
  "<Identify><repositoryName>{{repositoryName:Nets}}</repositoryName><baseURL>{{baseURL:https://o.example/}}</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>{{adminEmail:a@o.example}}</adminEmail><earliestDatestamp>{{earliestDatestamp:2020-01-01}}</earliestDatestamp><deletedRecord>{{deletedRecord:no}}</deletedRecord><granularity>{{granularity:YYYY-MM-DD}}</granularity></Identify>",
);

const metadata = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{{title:On nets}}</dc:title><dc:creator>{{creator:Weaver, Ada}}</dc:creator><dc:subject>{{subject:nets}}</dc:subject><dc:description>{{description:On nets.}}</dc:description><dc:publisher>{{publisher:Nets}}</dc:publisher><dc:date>{{date:2026-01-01}}</dc:date><dc:type>{{type:article}}</dc:type><dc:format>{{format:text}}</dc:format><dc:identifier>https://o.example/NUMBER</dc:identifier><dc:identifier>{{link:https://o.example/more/}}NUMBER</dc:identifier><dc:identifier>{{doi:10.1234/}}NUMBER</dc:identifier><dc:source>{{source:A journal}}</dc:source><dc:language>{{language:en}}</dc:language><dc:relation>{{relation:https://o.example/file/}}</dc:relation><dc:rights>{{rights:free}}</dc:rights></oai_dc:dc>`;

const record = `<record><header><identifier>{{identifier:oai:o.example:}}NUMBER</identifier><datestamp>{{datestamp:2026-01-01}}</datestamp><setSpec>{{setSpec:nets}}</setSpec></header><metadata>${metadata}</metadata></record>`;

const error = envelope('<error code="{{code:badArgument}}">{{message:no}}</error>');
const withToken = envelope(
  `<ListRecords>${fill(record).replaceAll("NUMBER", "token")}<resumptionToken>{{token:/}}</resumptionToken></ListRecords>`,
);

/** A repository: the answer to Identify, and that to every other request. */
export interface HugeRepository {
  identify: string;
  list: string;
}

/** Repositories by path. Each lists a record as usual, unless it answers an error. */
export function hugeRepositories(): Map<string, HugeRepository> {
  const usualIdentify = fill(identify);
  const listOf = (records: string[]) => fill(envelope(`<ListRecords>${records.join("")}</ListRecords>`));
  const usual = (name: string) => listOf([fill(record).replaceAll("NUMBER", name)]);
  const records = [...hugeVariants(record), ["usual", fill(record)] as const].map(([field, text]) =>
    text.replaceAll("NUMBER", field),
  );
  const repositories = new Map<string, HugeRepository>([
    ["/oai/records", { identify: usualIdentify, list: listOf(records) }],
  ]);
  for (const [field, text] of hugeVariants(identify))
    repositories.set(`/oai/identify/${field}`, { identify: text, list: usual(`identify-${field}`) });
  for (const [field, text] of [...hugeVariants(error), ...hugeVariants(withToken)])
    repositories.set(`/oai/answer/${field}`, { identify: usualIdentify, list: text });
  return repositories;
}

/** The metadata of documents in Dublin Core. */
export function hugeDocuments(): string[] {
  return [...hugeVariants(metadata)].map(([field, text]) => text.replaceAll("NUMBER", `upload-${field}`));
}
