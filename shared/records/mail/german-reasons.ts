/**
 * The German forms of the reasons of checks and validation. Reasons are stored in English, because mails contain them
 * in English.
 */
const sentences: readonly (readonly [english: RegExp, german: string])[] = [
  [/^all (\d+) sampled links are broken: /, "alle $1 Links der Stichprobe sind defekt: "],
  [
    /^all (\d+) sampled links are broken or not judged: /,
    "alle $1 Links der Stichprobe sind defekt oder nicht beurteilt: ",
  ],
  [
    /^all (\d+) sampled links are broken or probably gone: /,
    "alle $1 Links der Stichprobe sind defekt oder wahrscheinlich weg: ",
  ],
  [/^(\d+) of (\d+) sampled links are alive$/, "$1 von $2 Links der Stichprobe sind erreichbar"],
  [/(^|: |; )answered (\d+), which the rule names \((.*)\)$/, "$1Antwort $2, die die Regel nennt ($3)"],
  [
    /(^|: |; )answered (\d+), but the page is probably gone \(/g,
    "$1Antwort $2, doch die Seite ist wahrscheinlich weg (",
  ],
  [/(^|: |; )answered (\d+) without content/g, "$1Antwort $2 ohne Inhalt"],
  [/(^|: |; )answered (\d+): (\S+) refuses us/g, "$1Antwort $2: $3 weist uns ab"],
  [/(^|: |; )answered (\d+)/g, "$1Antwort $2"],
  [/(^|: |; )it leads to (\S+), which the rule names/g, "$1es führt zu $2, was die Regel nennt"],
  [/(^|: |; )the page matches /g, "$1die Seite entspricht "],
  [/(^|: |; )page not judged/g, "$1Seite nicht beurteilt"],
  [/(^|: |; )no answer \(/g, "$1keine Antwort ("],
  [/(^|: |; )not requested \(/g, "$1nicht angefragt ("],
  [/(^|: |; )not followed \(/g, "$1nicht weiterverfolgt ("],
  [/^required (\w+)-field is missing$/, "Pflichtfeld $1 fehlt"],
  [/^(\w+): required subfield (\w) is missing$/, "$1: Pflichtunterfeld $2 fehlt"],
  [/^(\w+): found unexpected subfield (\S+)$/, "$1: unerwartetes Unterfeld $2"],
  [/^no rule for present field (\w+) was found$/, "für das Feld $1 gibt es keine Regel"],
  [/^(\w+) is not a repeatable field$/, "Feld $1 ist nicht wiederholbar"],
  [/^subfield (\S+) is missing$/, "Unterfeld $1 fehlt"],
  [/^required field (\w+) is missing$/, "Pflichtfeld $1 fehlt"],
  [/^required field (\w+) is empty$/, "Pflichtfeld $1 ist leer"],
  [/^(\w+) field has unexpected contents$/, "Feld $1 hat unerwarteten Inhalt"],
];

/** What signs show, in German. Names of software stay. */
const signs: readonly (readonly [english: string, german: string])[] = [
  ["a title that says that the page is gone", "der Titel sagt, dass die Seite weg ist"],
  ["a heading that says that the page is gone", "die Überschrift sagt, dass die Seite weg ist"],
  ["a text that says that the page is gone", "der Text sagt, dass die Seite weg ist"],
  ["an item that its repository has withdrawn", "vom Repositorium zurückgezogen"],
  ["an article that Open Journal Systems does not have", "in Open Journal Systems nicht vorhanden"],
  ["a parked domain", "geparkte Domain"],
  ["a domain for sale", "Domain zu verkaufen"],
  ["a suspended account", "gesperrtes Konto"],
  ["the default page of a server", "Standardseite eines Servers"],
  ["a redirect to the home page", "Weiterleitung zur Startseite"],
  ["a page that leads to an error page", "führt zu einer Fehlerseite"],
  ["an error page", "eine Fehlerseite"],
  ["a check of the browser", "Prüfung des Browsers"],
  ["a Shibboleth login", "Anmeldung mit Shibboleth"],
  ["an EZproxy login", "Anmeldung mit EZproxy"],
  ["a login", "Anmeldung"],
];

/** Returns a reason in German, if a translation is known. Texts of hosts and operators are unchanged. */
export function germanReason(reason: string): string {
  const said = sentences.reduce((text, [english, german]) => text.replace(english, german), reason);
  return signs.reduce((text, [english, german]) => text.replaceAll(`(${english})`, `(${german})`), said);
}
