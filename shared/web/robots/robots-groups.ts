/** A line that allows or forbids all paths with a certain beginning. */
export interface RobotsRule {
  allows: boolean;
  path: string;
  /** The number of the line in the file, from 1. */
  number: number;
  /** The line as it is written. */
  text: string;
}

/** The lines of a robot's groups, in the order of the file. */
interface RobotsGroup {
  rules: RobotsRule[];
  /** The values as text. Valid values are numbers of seconds. */
  crawlDelays: string[];
}

type Key = "user-agent" | "allow" | "disallow" | "crawl-delay";

/** The accepted spellings of keys, including frequent typing errors. Google's parser accepts the same. */
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

/** The number of characters of a line that are quoted. */
const maxQuotedChars = 200;

/**
 * Returns the group of a robots.txt for a robot's name, or the group `*` if no group has that name. Lines without a
 * colon, misspelt keys, and names with more than a product token are accepted. Unknown lines do not end a list of user
 * agents. A Crawl-delay applies to the user agents above it but does not end their list, because it is often the only
 * line between two user agents.
 * @param name in lower case
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2
 * @see https://github.com/google/robotstxt/blob/master/robots.cc
 */
export function findGroup(name: string, file: string): RobotsGroup {
  // Other groups are skipped, because a file may have thousands of them, with thousands of lines each.
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

/** Returns the product token, which is `Ingather` in `Ingather/1.0 (+https://…)`. `*` is the token of all robots. */
function productToken(agent: string): string {
  return (/^\*(?=\s|$)|^[a-z_-]*/i.exec(agent)?.[0] ?? "").toLowerCase();
}
