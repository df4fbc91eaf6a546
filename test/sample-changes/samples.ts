/** An edit of one file: text after or before other text, or a new file. */
export type Edit = { file: string } & (
  | { after: string; insert: string }
  | { before: string; insert: string }
  | { content: string }
);

/** A change as a developer makes it, and the row of CONTRIBUTING.md that says which files it touches. */
export interface SampleChange {
  /** The left cell of the row. */
  row: string;
  edits: Edit[];
}

/** One of each common change, small but whole: the type check and the tests of the structure pass with all of them. */
export const sampleChanges: Record<string, SampleChange> = {
  "a kind of request": {
    row: "what is fetched for a kind of request, and its reader",
    edits: [
      {
        file: "shared/web/request/kinds.ts",
        after: "export const kinds = {\n",
        insert: `  "sample-page": {
    ...page,
    reader: {
      folder: "links",
      file: "read-sample-page",
      description: "Reads a page of a sample",
      timeoutSeconds: 60,
      batchSize: 10,
    },
  },
`,
      },
      {
        file: "functions/links/read-sample-page.ts",
        content: `import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Reads a page of a sample. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({}),
  handle: async () => undefined,
});
`,
      },
      {
        file: "infra/stacks/links.ts",
        after: `      additions: {
`,
        insert: `        "sample-page": { grant: () => undefined },
`,
      },
    ],
  },
  "a route": {
    row: "a route of the API",
    edits: [
      {
        file: "shared/operations/routes/mail-routes.ts",
        before: "  ],\n} satisfies Subject<MailPorts>;",
        insert: `    route({
      method: "GET",
      path: "/mails/{id}/size",
      summary: "Gives the length of a mail",
      params: z.strictObject({ id: z.string().min(1).max(300).describe("The id of a mail") }),
      answers: {
        200: { description: "The length", body: z.strictObject({ chars: z.number() }) },
        404: problem("No such mail"),
      },
      handler:
        ({ sentMails }) =>
        async (context, { params: { id } }) => {
          const mail = await sentMails.get(id);
          return mail === undefined
            ? refuseUnknown(context, "mail", id)
            : context.json({ chars: mail.text.length });
        },
    }),
`,
      },
    ],
  },
  "a figure of the report": {
    row: "the report",
    edits: [
      {
        file: "shared/deliver/report/report-view.ts",
        before: "  /** The reason why the delivery stopped. */\n",
        insert: "  /** How many sources were due. */\n  due: string;\n",
      },
      {
        file: "shared/deliver/report/report-view.ts",
        after: "    ...(outage !== undefined && { outage }),\n",
        insert: `    due: \`\${pluralize(sources.length, "source")} due.\`,\n`,
      },
      {
        file: "shared/deliver/report/render-text.ts",
        after: "const { summary, ",
        insert: "due, ",
      },
      {
        file: "shared/deliver/report/render-text.ts",
        after: "    summary,\n",
        insert: "    due,\n",
      },
    ],
  },
  "a field of a link rule": {
    row: "a field of a link rule, collection, validation rule, harvest definition, source or group: its schema, label, hint",
    edits: [
      {
        file: "shared/links/rule/rule-fields.ts",
        after: "export const linkRuleFields = {\n",
        insert: `  note: {
    schema: z.string().max(200).optional().describe("A note for other operators"),
    label: { en: "Note", de: "Notiz" },
  },
`,
      },
    ],
  },
  "an event type": {
    row: "an event type; the content of events",
    edits: [
      {
        file: "shared/records/events/event-type.ts",
        after: '  "network.up",\n',
        insert: '  "network.sampled",\n',
      },
      {
        file: "shared/records/events/event-types.ts",
        before: "} as const satisfies Record<EventType, EventDescription>;",
        insert: '  "network.sampled": { meaning: "Our own network was sampled", detail: networkDetail },\n',
      },
      {
        file: "shared/records/events/event-samples.ts",
        after: 'why: "https://probe.example answered" },\n',
        insert: `  "network.sampled": { changeId: \`network.sampled/\${since}\`, since, why: "a sample" },\n`,
      },
    ],
  },
  "a page of the console": {
    row: "a page of the console",
    edits: [
      {
        file: "shared/operations/pages/mail-count.ts",
        content: `import { html } from "hono/html";
import type { Page } from "../../console/page.ts";

/** How many mails were sent. */
const mailCount: Page = {
  method: "GET",
  path: "/console/mail-count",
  audience: "viewer",
  section: "mails",
  answer: async ({ api, texts }) => {
    const all = await api.all("/mails", "mails", { limit: 200 });
    const body = html\`<p>\${texts.mails.count(all.length)}</p>\`;
    return { title: texts.sections.mails, body };
  },
};

export const mailCountPages: readonly Page[] = [mailCount];
`,
      },
      {
        file: "shared/operations/pages/pages.ts",
        before: 'import { mailPages } from "./mails.ts";\n',
        insert: 'import { mailCountPages } from "./mail-count.ts";\n',
      },
      {
        file: "shared/operations/pages/pages.ts",
        before: "  ...mailPages,\n",
        insert: "  ...mailCountPages,\n",
      },
      {
        file: "shared/console/texts/en.ts",
        after: "  mails: {\n",
        insert: `    count: (mails: number) => \`\${mails} mails were sent.\`,\n`,
      },
      {
        file: "shared/console/texts/de.ts",
        after: "  mails: {\n",
        insert: `    count: (mails) => \`\${mails} Mails wurden gesendet.\`,\n`,
      },
    ],
  },
  "a command": {
    row: "a command of `npx ingather`",
    edits: [
      {
        file: "local/cli/commands/greet.ts",
        content: `import type { Command } from "./command.ts";

const usage = \`npx ingather greet

Prints a greeting.

Exit code: 0
\`;

/** \`npx ingather greet\`. */
export const greetCommand: Command = {
  usage,
  run: async (_args, { stdout }) => {
    stdout.write("Good morning.\\n");
    return 0;
  },
};
`,
      },
      {
        file: "local/cli/commands/run-command-line.ts",
        after: "const commands: Record<string, Entry> = {\n",
        insert: `  greet: {
    summary: "prints a greeting",
    load: async () => (await import("./greet.ts")).greetCommand,
  },
`,
      },
    ],
  },
  "a table": {
    row: "a table or bucket",
    edits: [
      {
        file: "shared/names.ts",
        after: `  ruleTests: \`\${prefix}-rule-tests\`,\n`,
        insert: `  samples: \`\${prefix}-samples\`,\n`,
      },
      {
        file: "shared/names.ts",
        after: '  ruleTestsTable: "RULE_TESTS_TABLE",\n',
        insert: '  samplesTable: "SAMPLES_TABLE",\n',
      },
      {
        file: "infra/stacks/storage.ts",
        before: '  readonly ruleTests = this.table("ruleTests"',
        insert: '  readonly samples = this.table("samples", { partitionKey: "sampleId" });\n',
      },
      {
        file: "shared/links/stores/samples.ts",
        content: `import { table } from "../../adapters/aws/table.ts";

/** Samples, by their id. */
export function samples() {
  const items = table<{ sampleId: string; text: string }>({
    variable: "samplesTable",
    key: (sampleId) => ({ sampleId }),
  });
  return { keep: (sampleId: string, text: string) => items.putItem(sampleId, { text }) };
}
`,
      },
      {
        file: "infra/stacks/links.ts",
        after: '    storage.linkSamples.grant(fn, "put");\n',
        insert: '    storage.samples.grant(fn, "put");\n',
      },
    ],
  },
  "an alarm on a log line": {
    row: "an alarm on a log line",
    edits: [
      {
        file: "shared/names.ts",
        after: "export const loggedFaults = {\n",
        insert: '  sampleFailed: "a sample has failed",\n',
      },
      {
        file: "infra/stacks/monitoring.ts",
        before: '    new RunbookAlarm(this, "NothingDelivered", {',
        insert: `    const failed = new MetricFilter(this, "SampleFailedFilter", {
      logGroup: LogGroup.fromLogGroupName(this, "SampleLog", logGroupName(sendReport)),
      filterPattern: FilterPattern.literal(\`"\${loggedFaults.sampleFailed}"\`),
      metricNamespace: prefix,
      metricName: "SampleFailed",
    });
    new RunbookAlarm(this, "SampleFailed", {
      metric: failed.metric({ statistic: "Sum", period: Duration.hours(1) }),
      threshold: 1,
      summary: "A sample has failed.",
      runbook: "sample-failed",
    });
`,
      },
      {
        file: "docs/runbook.md",
        before: "## nothing-delivered",
        insert: "## sample-failed\n\nA sample has failed. Look at its log.\n\n",
      },
    ],
  },
  "a type of source": {
    row: "how a type of source starts and continues",
    edits: [
      {
        file: "shared/harvest/sample/start.ts",
        content: `import type { StartSource } from "../listing/start-listings.ts";

/** SAMPLE: there is nothing to read. */
export const startSample: StartSource = async () => ({ type: "problem", problem: "a sample has no articles" });
`,
      },
      {
        file: "shared/harvest/source-types.ts",
        before: 'import { startSearch } from "./search/start.ts";\n',
        insert: 'import { startSample } from "./sample/start.ts";\n',
      },
      {
        file: "shared/harvest/source-types.ts",
        after: "  FOLDER: startFolder,\n",
        insert: "  SAMPLE: startSample,\n",
      },
      {
        file: "shared/records/sources/reading.ts",
        after: "  FOLDER: true,\n",
        insert: "  SAMPLE: false,\n",
      },
      {
        file: "shared/records/sources/source-type.ts",
        after: '"FILE", "FOLDER"',
        insert: ', "SAMPLE"',
      },
    ],
  },
};
