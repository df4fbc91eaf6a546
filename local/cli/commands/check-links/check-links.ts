import { stat } from "node:fs/promises";
import type { Command } from "../command.ts";
import { describeOptions, type ParsedOptions, parseOptions } from "./parse-options.ts";
import { threadsWorth } from "./threads/thread-count.ts";
import { WaitingThreads } from "./threads/waiting-threads.ts";

const usage = `npx ingather check-links FILE|URL… [options]

Checks links and reports each as alive, broken or inconclusive, with the reason. A FILE is a text with one URL per
line, or HTML, Markdown, CSV, a sitemap, MARCXML or ISO 2709 (856 $u); - is standard input. Each host gets one request
at a time.

${describeOptions()}
  --help              show this

Exit code: 0 all alive, 1 some broken or inconclusive, 2 wrong use or unwritable output, 130 stopped by Ctrl-C,
143 by SIGTERM, 141 by a closed output pipe.
`;

export const checkLinksCommand: Command = {
  usage,
  async run(args, io) {
    const options = await parseOptions(args);
    const threads = new WaitingThreads(await threadsExpected(options));
    try {
      const { checkGivenLinks } = await import("./check-given-links.ts");
      return await checkGivenLinks(options, { io, threads });
    } finally {
      await threads.close();
    }
  },
};

/** The approximate number of bytes per link in a list. */
const bytesPerLink = 60;

/** Estimates from the sizes of the files how many threads will share their links. */
async function threadsExpected({ positionals, values }: ParsedOptions): Promise<number> {
  const { cache, concurrency, delay: delayMs, fragments, recursive } = values;
  if (cache !== undefined || fragments || recursive) return 0;
  const sizes = await Promise.all(
    positionals.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const links = sizes.reduce((sum, size) => sum + size, 0) / bytesPerLink;
  const threads = threadsWorth(links, { threads: values.threads, concurrency, delayMs });
  return threads === 1 ? 0 : threads;
}
