/** Combining characters by LaTeX accent command. */
const combiningAccents: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  '"': "\u0308",
  "~": "\u0303",
  "=": "\u0304",
  ".": "\u0307",
  u: "\u0306",
  v: "\u030c",
  H: "\u030b",
  c: "\u0327",
  k: "\u0328",
  r: "\u030a",
  d: "\u0323",
  b: "\u0331",
};

/** Characters by LaTeX command. */
const characterCommands: Readonly<Record<string, string>> = {
  aa: "å",
  AA: "Å",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  o: "ø",
  O: "Ø",
  l: "ł",
  L: "Ł",
  ss: "ß",
  i: "i",
  j: "j",
  dh: "ð",
  DH: "Ð",
  dj: "đ",
  DJ: "Đ",
  th: "þ",
  TH: "Þ",
  ng: "ŋ",
  NG: "Ŋ",
  S: "§",
  P: "¶",
  copyright: "©",
  pounds: "£",
  euro: "€",
  texteuro: "€",
  dots: "…",
  ldots: "…",
  textellipsis: "…",
  textendash: "–",
  textemdash: "—",
  textquoteleft: "‘",
  textquoteright: "’",
  textquotedblleft: "“",
  textquotedblright: "”",
  guillemotleft: "«",
  guillemotright: "»",
  quotedblbase: "„",
  quotesinglbase: "‚",
  textbackslash: "\\",
  textasciitilde: "~",
  textasciicircum: "^",
  textunderscore: "_",
  textbar: "|",
  textless: "<",
  textgreater: ">",
  textdegree: "°",
  textperiodcentered: "·",
};

/**
 * All markup in one pattern, so that a single pass is enough: an accent with its letter (`\"o`, `\"{o}`, `\c c`,
 * `\'{\i}`), an escaped sign, any other command with the spaces after it, quotes, dashes, and braces.
 */
const markup = new RegExp(
  [
    /\\(?<accent>[`'^"~=.]|[uvHckrdb](?=[\s{\\]))\s*(?:\{\s*\\?(?<braced>\p{L}?)\s*\}|\\(?<dotless>[ij])(?![a-zA-Z])|(?<bare>\p{L}))/u,
    /\\(?<sign>[&%$#_{}])/u,
    /\\(?<name>[a-zA-Z]+)\*?(?:\s+|\{\})?/u,
    /(?<gap>\\\\|\\\s|~)/u,
    /(?<other>``|''|---?|\\-|[{}$])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

const otherSigns: Readonly<Record<string, string>> = { "``": "“", "''": "”", "---": "—", "--": "–" };

/**
 * Converts LaTeX to text. Accents are composed, and character commands are replaced. Other commands are removed, but
 * their arguments are kept. Braces and math signs are removed.
 */
export function latexToText(latex: string): string {
  if (!/[\\{}~$`'-]/.test(latex)) return latex;
  return latex.replace(markup, (...found) => replaceMarkup(found.at(-1))).normalize("NFC");
}

function replaceMarkup(found: Record<string, string | undefined>): string {
  const { accent, braced, dotless, bare, sign, name, gap, other } = found;
  const letter = braced ?? dotless ?? bare ?? "";
  if (accent !== undefined) return letter === "" ? "" : letter + (combiningAccents[accent] ?? "");
  if (sign !== undefined) return sign;
  if (name !== undefined)
    return Object.hasOwn(characterCommands, name) ? (characterCommands[name] ?? "") : "";
  return gap === undefined ? (otherSigns[other ?? ""] ?? "") : " ";
}
