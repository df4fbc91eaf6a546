/** The lines of a robots.txt that mean something, in one spelling, and where in the file they stand. */
export interface RobotsLines {
  /** The groups of rules, and after them the delays as groups of their own. */
  text: string;
  /** The number in the file, from 1, of each line of the rules. */
  numbers: number[];
  /** Whether there is a `disallow` with a path. */
  forbids: boolean;
}

type Key = "user-agent" | "allow" | "disallow" | "crawl-delay";

/** As they are written, by hand and by the thousand; Google's parser reads the same ones. */
const spellings: ReadonlyMap<string, Key> = new Map([
  ["user-agent", "user-agent"],
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["crawldelay", "crawl-delay"],
  ["crawl delay", "crawl-delay"],
]);

/**
 * Reads what robots-parser does not: lines without a colon, misspelt keys, names of agents with more than a product
 * token, a last group without rules, and groups whose lines of agents have other lines between them. A Crawl-delay is
 * for the agents of its group that stand before it: it is often all that is said to one robot, right above the next.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2
 * @see https://github.com/google/robotstxt/blob/master/robots.cc
 */
export function robotsLines(file: string): RobotsLines {
  const lines = file.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const kept: string[] = [];
  const numbers: number[] = [];
  const delays: string[] = [];
  let agents: string[] = [];
  let forbids = false;
  for (const [index, written] of lines.entries()) {
    const [key, value] = keyAndValue(written);
    if (key === undefined) continue;
    if (key === "crawl-delay") {
      if (agents.length > 0) delays.push(...agents, `crawl-delay: ${value}`);
      continue;
    }
    const line = key === "user-agent" ? `user-agent: ${productToken(value)}` : `${key}: ${value}`;
    if (key === "user-agent") {
      const opensGroup = !kept.at(-1)?.startsWith("user-agent");
      agents = opensGroup ? [line] : [...agents, line];
    }
    kept.push(line);
    numbers.push(index + 1);
    forbids ||= key === "disallow" && value !== "";
  }
  // The last group may have no rules: an empty one makes it known all the same.
  return { text: [...kept, "disallow:", ...delays].join("\n"), numbers, forbids };
}

function keyAndValue(written: string): [Key | undefined, string] {
  const line = written.replace(/#.*/, "").trim();
  const [, name = "", value = ""] = /^([^:]*?)\s*:\s*(.*)$/.exec(line) ?? /^(\S+)\s+(\S+)$/.exec(line) ?? [];
  return [spellings.get(name.toLowerCase()), value];
}

/** `Ingather/1.0 (+https://…)` is Ingather; `*` stands for everybody. */
function productToken(agent: string): string {
  return /^\*(?=\s|$)|^[a-z_-]*/i.exec(agent)?.[0] ?? "";
}
