/** A line that allows or forbids the paths that begin as it says. */
export interface RobotsRule {
  allows: boolean;
  path: string;
  /** In the file, from 1. */
  number: number;
  /** As it is written. */
  text: string;
}

/** What the groups of one robot say, in the order of the file. */
interface RobotsGroup {
  rules: RobotsRule[];
  /** As they are written: numbers of seconds, they should be. */
  crawlDelays: string[];
}

type Key = "user-agent" | "allow" | "disallow" | "crawl-delay";

/** The spellings that files have, typing errors included; Google's parser reads the same ones. */
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

/** How much of a line is quoted. */
const maxQuotedChars = 200;

/**
 * What a robots.txt says to a robot: to the one of that name, or, when it names none such, to everybody. Lines without a
 * colon, misspelt keys and names with more than a product token are understood, and other lines between those of agents
 * do not part them. A Crawl-delay is for the agents of its group that stand before it: it is often all that is said to
 * one robot, right above the next.
 * @param name in lower case
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2
 * @see https://github.com/google/robotstxt/blob/master/robots.cc
 */
export function findGroup(name: string, file: string): RobotsGroup {
  // Of others nothing is kept: a file can name thousands, with thousands of lines for each.
  const groups = new Map<string, RobotsGroup>();
  const addressed = new Set<RobotsGroup>();
  let namesAgents = false;
  for (const [index, written] of file
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const [key, value] = parseLine(written);
    if (key === undefined) continue;
    if (key === "crawl-delay") {
      for (const group of addressed) group.crawlDelays.push(value);
      continue;
    }
    if (key === "user-agent") {
      if (!namesAgents) addressed.clear();
      const agent = productToken(value);
      if (agent === name || agent === "*") {
        const group = groups.get(agent) ?? { rules: [], crawlDelays: [] };
        groups.set(agent, group);
        addressed.add(group);
      }
    } else if (value !== "") {
      const text = written.trim().slice(0, maxQuotedChars);
      const line = { allows: key === "allow", path: value, number: index + 1, text };
      for (const group of addressed) group.rules.push(line);
    }
    namesAgents = key === "user-agent";
  }
  return groups.get(name) ?? groups.get("*") ?? { rules: [], crawlDelays: [] };
}

function parseLine(written: string): [Key | undefined, string] {
  const [line = ""] = written.split("#", 1);
  const colon = line.indexOf(":");
  const parts = colon === -1 ? line.trim().split(/\s+/) : [line.slice(0, colon), line.slice(colon + 1)];
  const [name = "", value = "", ...more] = parts.map((part) => part.trim());
  return [more.length > 0 ? undefined : spellings.get(name.toLowerCase()), value];
}

/** `Ingather/1.0 (+https://…)` is Ingather; `*` stands for everybody. */
function productToken(agent: string): string {
  return (/^\*(?=\s|$)|^[a-z_-]*/i.exec(agent)?.[0] ?? "").toLowerCase();
}
