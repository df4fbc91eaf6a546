import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

interface Pattern {
  pattern: RegExp;
  /** Why a reader stumbles. */
  reason: string;
  before: string;
  after: string;
}

/** Words and word orders that are correct, but that no reader of English documents expects. */
const patterns: Pattern[] = [
  {
    pattern: /(?<![Tt]here )\b(?:is|was|are|were) no (?!longer\b|such\b|more\b|less\b|sooner\b|one\b)\w+/g,
    reason: "English negates the verb",
    before: "is no id",
    after: "is not an id: 12 letters or digits expected",
  },
  {
    pattern: /\b(?:[Gg]o|goes|[Gg]oing|gone) on\b/g,
    reason: "one word: continue, resume",
    before: "Go on (a button) · It goes on there with the next start",
    after: "Resume · The next run resumes at this stage",
  },
  {
    pattern: /\blook(?:s|ed)? (?:what|whether|how|who)\b/g,
    reason: "`look` takes no clause: detect, check",
    before: "Ingather looks what it is and proposes a source",
    after: "Ingather detects the type and proposes a source",
  },
  {
    pattern: /\b[Ww]hom\b/g,
    reason: "name the person: recipients, callers, operators",
    before: "What it brought · Whom it is for",
    after: "Results by run · Recipients",
  },
  {
    pattern: /\bWho (?:is|has|gets|may|does|counts|asks|wants|can|joins?)\b|\b(?:for|of) who\b/g,
    reason: "a clause as the subject: name the person",
    before: "Who is killed repeats the request that was being asked",
    after: "A killed worker repeats its request in flight",
  },
  {
    pattern: /\bcounts? more\b|\bthat are repeatable add up\b/g,
    reason: "options override, or are combined",
    before: "The command line counts more; options that are repeatable add up",
    after: "Command-line options override the file; repeatable options are combined",
  },
  {
    pattern: /\b[Mm]end(?:s|ed|ing)?\b/g,
    reason: "software is fixed",
    before: "mend the cause",
    after: "fix the cause",
  },
  {
    // Names of texts of the console are excluded.
    pattern: /(?<!\.)\b(?:brought|[Bb]rings?)\b(?!:)/g,
    reason: "runs have results, requests return, mails arrive",
    before: "What it brought · Whom it is for",
    after: "Results by run · Recipients",
  },
  {
    pattern: /\b[Nn]othing is to be\b|\b[Ww]hat is to be\b/g,
    reason: "the passive infinitive of German",
    before: "0 nothing is to be complained of",
    after: "0 no findings",
  },
  {
    pattern: /\bthat (?:is|are) none\b/g,
    reason: "say what it is not, or: invalid",
    before: "A `time` that is none says so, instead of working for now",
    after: "An invalid `time` is rejected",
  },
  {
    pattern: /\bas by default again\b|\bsays all\b/g,
    reason: "fields are reset",
    before: "A `PUT` says all: what it leaves out is as by default again",
    after: "`PUT` replaces the collection; omitted fields are reset",
  },
  {
    pattern: /\bhangs? \w+ on\b|\bpass such \w+ on\b/g,
    reason: "particles far from their verb",
    before: "Parameters that are unknown change nothing: people pass such links on, and others hang some on",
    after: "Unknown query parameters are ignored",
  },
  {
    pattern: /\b[Ww]hat (?:has |had )?(?:becomes?|became) of\b/g,
    reason: "records have outcomes",
    before: "What became of each article",
    after: "The outcome of each article",
  },
  {
    pattern: /\b(?:[Aa]new|[Aa]fresh|[Oo]nce more)\b/g,
    reason: "one word: again",
    before: "Which starts the list anew, and once more",
    after: "Restarts the list",
  },
  {
    pattern: /\bunder way\b|\bon the way\b/g,
    reason: "in progress, in transit",
    before: "The harvest that is under way",
    after: "The harvest in progress",
  },
  {
    pattern: /\bof ours\b/g,
    reason: "name the owner",
    before: "A fault of ours",
    after: "A fault of Ingather",
  },
  {
    pattern: /\bby (?:itself|themselves|himself|herself)\b/g,
    reason: "automatically, separately, on its own",
    before: "What waits then goes on by itself",
    after: "Waiting messages then resume automatically",
  },
  {
    pattern: /\bfor (?:good|ever)\b/g,
    reason: "permanently, forever",
    before: "messages that failed for good",
    after: "messages that failed permanently",
  },
  {
    pattern: /\bby hand\b/g,
    reason: "manually",
    before: "delivered by hand",
    after: "delivered manually",
  },
  {
    pattern: /\b[Ss]o many (?!different)\w+|\bof so many\b/g,
    reason: "name the number",
    before: "After so many failures",
    after: "The number of failures after which",
  },
  {
    pattern: /\b[Pp]erhaps the same\b/g,
    reason: "one word: possible duplicate",
    before: "held, as perhaps the same as a delivered record",
    after: "a possible duplicate of a delivered record",
  },
  {
    pattern: /\b[Dd]elinquent (?:records?|articles?)\b/g,
    reason: "one word: refused; `delinquent` is a stored outcome, and a name of files",
    before: "the list of delinquent records",
    after: "the refused records",
  },
  {
    pattern: /\b(?:[Pp]aused|[Hh]eld) by \S+ since\b/g,
    reason: "the person is the subject",
    before: "X is paused by Y since D",
    after: "Y paused X on D",
  },
  {
    pattern: /\b[Ww]hat was longer\b/g,
    reason: "a participle says it",
    before: "What was longer is cut here",
    after: "Truncated",
  },
  {
    pattern: /\bnot (?:\w+ )?any more\b/g,
    reason: "no longer",
    before: "It is not checked any more",
    after: "It is no longer checked",
  },
  {
    pattern: /\b(?:keeps?|keeping) \w+ honest\b/g,
    reason: "a metaphor",
    before: "It keeps records honest",
    after: "It validates records",
  },
  {
    pattern: /\b\d it is, but\b/g,
    reason: "a pronoun for the predicate",
    before: "1 it is, but refers to content that it does not hold",
    after: "1 written, with unresolved revisits",
  },
  {
    pattern: /\bstands? (?:in|at|there|beside|before|alone)\b/g,
    reason: "things are somewhere; they do not stand",
    before: "What may stand there",
    after: "The permitted values",
  },
  {
    pattern: /\bsays? of\b/g,
    reason: "say about, report",
    before: "What a run says of each source",
    after: "What a run reports about each source",
  },
  {
    pattern: /\bstays? as (?:it is|they are)\b/g,
    reason: "unchanged",
    before: "A schedule of the same name stays as it is",
    after: "A schedule of the same name is unchanged",
  },
  {
    pattern: /(?:\/\*\* |\(")Of \w+/g,
    reason: "a genitive without its noun",
    before: "/** Of the 95 % interval, in standard deviations */",
    after: "/** The z-score of the 95 % interval */",
  },
  {
    pattern:
      /\b(?:told|untold|fates?|manners|shelf|twins|doubts|doors|ladder|almanac|crumbling|put aside|left alone)\b/gi,
    reason: "words that only this project's authors understood",
    before: "told, untold, fate, manners, shelf, twins, doubts, doors, away, ladder",
    after: "described, pending, status, policy, batch, duplicates, lint, listeners, unavailable, delays",
  },
];

/** The texts that match a pattern but are permitted, by file: the text, and the reason. */
const exceptions: Record<string, [text: RegExp, why: string][]> = {
  "local/demo/articles.ts": [[/ladder/gi, "the title of an article"]],
};

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...glob("docs/*.md")];

function glob(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** Joins the lines of a text, so that a pattern also matches across the lines of a comment. */
const joined = (text: string) => text.replaceAll(/\s*\n\s*(?:(?:\*|\/\/) )?\s*/g, " ");

/** Returns what the patterns find in a file, each with its surroundings. */
function findings(path: string): string[] {
  const permitted = exceptions[path] ?? [];
  const text = permitted.reduce(
    (rest, [each]) => rest.replaceAll(each, ""),
    joined(readFileSync(join(root, path), "utf8")),
  );
  return patterns.flatMap(({ pattern, after }) =>
    [...text.matchAll(pattern)].map(
      ({ index, 0: match }) =>
        `${path}: …${text.slice(Math.max(0, index - 40), index + match.length + 20)}… as in: ${after}`,
    ),
  );
}

describe("the patterns", () => {
  it.each(patterns)("$before → found; $after → not", ({ pattern, before, after }) => {
    expect(before.match(pattern)).not.toBeNull();
    for (const each of patterns) expect(after.match(each.pattern)).toBeNull();
  });

  it.each([
    "There is no such record",
    "there is\n * no rule for this field",
    "is no longer configured",
    "a run that is no more exact",
  ])("%j → is English", (text) => {
    expect(patterns.filter(({ pattern }) => joined(text).match(pattern))).toEqual([]);
  });

  it("find a text across the lines of a comment", () => {
    const [first] = patterns;
    expect(joined("/** What\n * is no\n * id. */").match(first?.pattern as RegExp)).not.toBeNull();
  });
});

describe("texts that people read", () => {
  it.each(documents)("%s → plain English", (path) => {
    expect(findings(path)).toEqual([]);
  });

  it.each(["shared", "functions", "infra", "local", "bench"])(
    "in the code of %s → plain English",
    (folder) => {
      const sources = glob(`${folder}/**/*.ts`);
      expect(sources.length).toBeGreaterThan(10);
      expect(sources.flatMap(findings)).toEqual([]);
    },
  );

  it("has no exception that is not needed", () => {
    const unused = Object.entries(exceptions).flatMap(([path, permitted]) =>
      permitted
        .filter(([text]) => {
          const texts = joined(readFileSync(join(root, path), "utf8")).match(text) ?? [];
          return !patterns.some(({ pattern }) => texts.some((each) => each.match(pattern)));
        })
        .map(([text]) => `${path}: ${text}`),
    );
    expect(unused).toEqual([]);
  });
});
