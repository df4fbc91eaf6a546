/** The opening of a group, with a name or flags. */
const opening = /\((?:\?(?:P?<\w*>|[a-zA-Z-]*:?))?/y;

/** One step of a compiled program: a class, an escape, or a character. */
const atom = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*(?:\]|$)|\\[pPx]\{[^}]*\}|\\.|./sy;

const quoted = /\\Q(.*?)(?:\\E|$)/sy;
const repetitionCount = /\{(\d+)(?:,(\d*))?\}/y;

/**
 * Estimates in linear time the number of steps of a regular expression's compiled program. The estimate is more likely
 * too high than too low. The compiler expands repetitions, so a few characters can result in millions of steps.
 */
export function estimateSteps(text: string): number {
  const groups: { steps: number; last: number }[] = [];
  let open = { steps: 0, last: 0 };
  let at = 0;
  const read = (syntax: RegExp): RegExpExecArray | undefined => {
    syntax.lastIndex = at;
    const match = syntax.exec(text);
    if (match !== null) at = syntax.lastIndex;
    return match ?? undefined;
  };
  const add = (steps: number) => {
    open = { steps: open.steps + steps, last: steps };
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const literal = read(quoted);
    const repeated = literal === undefined ? read(repetitionCount) : undefined;
    if (literal !== undefined) add(literal[1]?.length ?? 0);
    else if (repeated !== undefined) {
      const copies = Math.max(1, Number(repeated[1]), Number(repeated[2] ?? 0));
      const steps = (open.last + 1) * copies;
      open = { steps: open.steps - open.last + steps, last: steps };
    } else if (char === "(") {
      read(opening);
      groups.push(open);
      open = { steps: 0, last: 0 };
    } else if (char === ")") {
      const { steps } = open;
      open = groups.pop() ?? { steps: 0, last: 0 };
      add(steps + 2);
      at += 1;
    } else if ("*+?".includes(char)) {
      open = { steps: open.steps + 1, last: open.last + 1 };
      at += 1;
    } else {
      read(atom);
      add(1);
    }
  }
  return groups.reduce((sum, { steps }) => sum + steps, open.steps);
}
