import type { Wording } from "../../core/field-table.ts";

/**
 * How bad a finding is. `info`: worth knowing; `warning`: Ingather copes, at a price; `error`: records or their changes are
 * missed.
 */
export const severities = ["info", "warning", "error"] as const;
export type Severity = (typeof severities)[number];

interface FindingKind {
  severity: Severity;
  /** The section of the specification, or of another one. */
  section: string;
  /** What the specification says. */
  rule: Wording;
  /** What Ingather does about it. */
  effect: Wording;
}

const protocol = "https://www.openarchives.org/OAI/openarchivesprotocol.html#";

const identifyRule = {
  en: "Identify has repositoryName, baseURL, protocolVersion 2.0, adminEmail, earliestDatestamp, deletedRecord and granularity.",
  de: "Identify enthält repositoryName, baseURL, protocolVersion 2.0, adminEmail, earliestDatestamp, deletedRecord und granularity.",
};
const kept = { en: "Ingather ignores it.", de: "Ingather übergeht es." };
const threeTimes = {
  en: "Ingather sends a request three times, then reports the list as interrupted: nothing is deleted.",
  de: "Ingather stellt eine Anfrage dreimal und meldet die Liste dann als abgebrochen: nichts wird gelöscht.",
};
const tokenRule = {
  en: "A resumptionToken continues its list until it expires; the most recent one may be used again.",
  de: "Ein resumptionToken setzt seine Liste fort, bis es abläuft; das letzte darf noch einmal benutzt werden.",
};
const dateRule = {
  en: "A datestamp is the UTC time of the latest change, in the granularity of Identify.",
  de: "Ein datestamp ist die UTC-Zeit der letzten Änderung, in der Granularität von Identify.",
};
const windowRule = {
  en: "from and until select records by datestamp, both inclusive; every repository takes days.",
  de: "from und until wählen Datensätze nach datestamp aus, beide einschließlich; jedes Repositorium nimmt Tage an.",
};
const changesMissed = {
  en: "Ingather cannot ask for changes alone: have the whole list read often (fullHarvestDays).",
  de: "Ingather kann nicht nach Änderungen allein fragen: die ganze Liste oft lesen lassen (fullHarvestDays).",
};
const getRecordEffect = {
  en: "Ingather cannot confirm deletions: an operator decides on what full lists lack.",
  de: "Ingather kann Löschungen nicht bestätigen: ein Operator entscheidet über das, was in vollständigen Listen fehlt.",
};
const xmlRule = {
  en: "Responses are well-formed XML in UTF-8.",
  de: "Antworten sind wohlgeformtes XML in UTF-8.",
};
const httpRule = {
  en: "Responses to OAI-PMH requests, errors included, have the status 200 and the Content-Type text/xml.",
  de: "Antworten auf OAI-PMH-Anfragen, auch Fehler, haben den Status 200 und den Content-Type text/xml.",
};

/** Everything that a check may find. @see https://www.openarchives.org/OAI/openarchivesprotocol.html */
export const findingKinds = {
  "no-answer": {
    severity: "error",
    section: `${protocol}HTTPResponseFormat`,
    rule: { en: "Every request is answered.", de: "Jede Anfrage wird beantwortet." },
    effect: threeTimes,
  },
  robots: {
    severity: "error",
    section: "https://www.rfc-editor.org/rfc/rfc9309",
    rule: {
      en: "robots.txt says what programs may request.",
      de: "robots.txt sagt, was Programme anfragen dürfen.",
    },
    effect: {
      en: "Ingather requests nothing, unless obeyRobots of the source is off and the repository agrees.",
      de: "Ingather fragt nichts an, außer wenn obeyRobots der Quelle aus ist und das Repositorium zustimmt.",
    },
  },
  tls: {
    severity: "error",
    section: "https://www.rfc-editor.org/rfc/rfc9110#name-https-certificate-verificat",
    rule: { en: "The host proves its name by a valid certificate.", de: "Der Host weist sich aus." },
    effect: { en: "Ingather does not read it.", de: "Ingather liest es nicht." },
  },
  busy: {
    severity: "warning",
    section: `${protocol}StatusCodes`,
    rule: {
      en: "503 with Retry-After says when to come again.",
      de: "503 mit Retry-After sagt, wann man wiederkommen soll.",
    },
    effect: {
      en: "Ingather waits as long as it says, an hour at most. A longer delay of the source avoids it.",
      de: "Ingather wartet so lange, höchstens eine Stunde. Eine längere Pause der Quelle vermeidet es.",
    },
  },
  "http-status": {
    severity: "warning",
    section: `${protocol}StatusCodes`,
    rule: httpRule,
    effect: {
      en: "Ingather reads the document all the same.",
      de: "Ingather liest das Dokument trotzdem.",
    },
  },
  redirected: {
    severity: "warning",
    section: `${protocol}StatusCodes`,
    rule: {
      en: "A redirect is temporary; the base URL is the one that answers.",
      de: "Eine Weiterleitung ist vorübergehend; die Basis-URL ist die, die antwortet.",
    },
    effect: {
      en: "Each request takes two. Use the address that it leads to.",
      de: "Jede Anfrage kostet zwei. Die Zieladresse verwenden.",
    },
  },
  "plain-http": {
    severity: "info",
    section: "https://www.rfc-editor.org/rfc/rfc9110#name-https-uri-scheme",
    rule: { en: "https protects what is transferred.", de: "https schützt die Übertragung." },
    effect: { en: "Try whether it answers by https.", de: "Versuchen, ob es mit https antwortet." },
  },
  "not-compressed": {
    severity: "info",
    section: `${protocol}Compression`,
    rule: { en: "Responses may be compressed.", de: "Antworten dürfen komprimiert sein." },
    effect: { en: "Lists take longer.", de: "Listen dauern länger." },
  },
  "content-type": {
    severity: "info",
    section: `${protocol}HTTPResponseFormat`,
    rule: httpRule,
    effect: kept,
  },
  "not-oai-pmh": {
    severity: "error",
    section: `${protocol}XMLResponse`,
    rule: xmlRule,
    effect: threeTimes,
  },
  "namespace-wrong": {
    severity: "error",
    section: `${protocol}XMLResponse`,
    rule: {
      en: "The root is OAI-PMH in the namespace http://www.openarchives.org/OAI/2.0/.",
      de: "Die Wurzel ist OAI-PMH im Namensraum http://www.openarchives.org/OAI/2.0/.",
    },
    effect: threeTimes,
  },
  "xml-malformed": {
    severity: "error",
    section: `${protocol}XMLResponse`,
    rule: xmlRule,
    effect: threeTimes,
  },
  "xml-repaired": {
    severity: "warning",
    section: `${protocol}XMLResponse`,
    rule: xmlRule,
    effect: {
      en: "Ingather repairs single characters without loss, and reports it.",
      de: "Ingather repariert einzelne Zeichen ohne Verlust und meldet es.",
    },
  },
  "encoding-wrong": {
    severity: "warning",
    section: `${protocol}XMLResponse`,
    rule: xmlRule,
    effect: {
      en: "Ingather replaces the bytes that it cannot read: letters are lost.",
      de: "Ingather ersetzt unlesbare Bytes: Buchstaben gehen verloren.",
    },
  },
  "identify-unusable": {
    severity: "error",
    section: `${protocol}Identify`,
    rule: identifyRule,
    effect: {
      en: "Ingather reads the list, by days, and looks for deletions by whole lists.",
      de: "Ingather liest die Liste, in Tagen, und sucht Löschungen durch vollständige Listen.",
    },
  },
  "identify-incomplete": {
    severity: "warning",
    section: `${protocol}Identify`,
    rule: identifyRule,
    effect: {
      en: "Ingather assumes days, and that deletions are not kept.",
      de: "Ingather nimmt Tage an, und dass Löschungen nicht aufbewahrt werden.",
    },
  },
  "protocol-version": {
    severity: "warning",
    section: `${protocol}Identify`,
    rule: identifyRule,
    effect: { en: "Ingather reads it as version 2.0.", de: "Ingather liest es als Version 2.0." },
  },
  "base-url": {
    severity: "warning",
    section: `${protocol}Identify`,
    rule: { en: "baseURL is the address of the requests.", de: "baseURL ist die Adresse der Anfragen." },
    effect: {
      en: "Ingather requests the address of the source, whatever Identify says.",
      de: "Ingather fragt die Adresse der Quelle an, was immer Identify sagt.",
    },
  },
  "admin-email": {
    severity: "info",
    section: `${protocol}Identify`,
    rule: identifyRule,
    effect: {
      en: "There is no contact for faults.",
      de: "Niemand kann über Fehler informiert werden.",
    },
  },
  "deleted-record-value": {
    severity: "warning",
    section: `${protocol}DeletedRecords`,
    rule: {
      en: "deletedRecord is no, transient or persistent.",
      de: "deletedRecord ist no, transient oder persistent.",
    },
    effect: { en: "Ingather takes it as no.", de: "Ingather nimmt no an." },
  },
  "granularity-value": {
    severity: "warning",
    section: `${protocol}Identify`,
    rule: {
      en: "granularity is YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.",
      de: "granularity ist YYYY-MM-DD oder YYYY-MM-DDThh:mm:ssZ.",
    },
    effect: { en: "Ingather asks in days.", de: "Ingather fragt in Tagen." },
  },
  "earliest-datestamp": {
    severity: "warning",
    section: `${protocol}Identify`,
    rule: {
      en: "earliestDatestamp is the lower limit of all datestamps, in the granularity of the repository.",
      de: "earliestDatestamp ist die untere Grenze aller datestamps, in der Granularität des Repositoriums.",
    },
    effect: {
      en: "Slices of a full list have no lower limit: earlier records are read, too.",
      de: "Abschnitte einer vollständigen Liste haben keine untere Grenze: frühere Datensätze werden auch gelesen.",
    },
  },
  "response-date": {
    severity: "warning",
    section: `${protocol}XMLResponse`,
    rule: {
      en: "responseDate is the UTC time of the response.",
      de: "responseDate ist die UTC-Zeit der Antwort.",
    },
    effect: {
      en: "Ingather begins the next list at its own time, if that is earlier; at the beginning, if there is none.",
      de: "Ingather beginnt die nächste Liste nach eigener Zeit, wenn diese früher ist; von vorn, wenn keine da ist.",
    },
  },
  "prefix-unknown": {
    severity: "error",
    section: `${protocol}ListMetadataFormats`,
    rule: {
      en: "A list is asked for by a metadataPrefix of ListMetadataFormats.",
      de: "Eine Liste wird mit einem metadataPrefix aus ListMetadataFormats angefragt.",
    },
    effect: { en: "Choose another prefix.", de: "Ein anderes Präfix wählen." },
  },
  "no-oai-dc": {
    severity: "warning",
    section: `${protocol}dublincore`,
    rule: { en: "Every repository has oai_dc.", de: "Jedes Repositorium hat oai_dc." },
    effect: { en: "Choose another prefix.", de: "Ein anderes Präfix wählen." },
  },
  "set-unknown": {
    severity: "error",
    section: `${protocol}ListSets`,
    rule: { en: "ListSets names every set.", de: "ListSets nennt jedes Set." },
    effect: { en: "Choose one of its sets.", de: "Eines seiner Sets wählen." },
  },
  "set-not-in-header": {
    severity: "warning",
    section: `${protocol}header`,
    rule: {
      en: "A header names the sets of its record.",
      de: "Ein header nennt die Sets seines Datensatzes.",
    },
    effect: {
      en: "Ingather takes a record for one of the set whose list has it; a record that leaves the set is not deleted.",
      de: "Ingather rechnet einen Datensatz zu dem Set, in dessen Liste er steht; einer, der das Set verlässt, wird nicht gelöscht.",
    },
  },
  "list-broken": {
    severity: "error",
    section: `${protocol}FlowControl`,
    rule: { en: "A list can be read to its end.", de: "Eine Liste kann bis zum Ende gelesen werden." },
    effect: {
      en: "Ingather keeps what came, and begins again with the next poll. Slices by month are read one by one.",
      de: "Ingather behält, was kam, und beginnt bei der nächsten Abfrage von vorn. Monatsabschnitte werden einzeln gelesen.",
    },
  },
  "list-empty": {
    severity: "warning",
    section: `${protocol}ListRecords`,
    rule: { en: "ListRecords lists the records.", de: "ListRecords listet die Datensätze auf." },
    effect: { en: "There is nothing to read.", de: "Es gibt nichts zu lesen." },
  },
  "list-repeats": {
    severity: "warning",
    section: `${protocol}FlowControl`,
    rule: { en: "The responses of a list are its partition.", de: "Die Antworten zerlegen die Liste." },
    effect: {
      en: "Ingather takes such a list as shifting and reads it again, up to three times in a row; what it lacks is asked for by GetRecord.",
      de: "Ingather hält so eine Liste für verschoben und liest sie erneut, bis zu dreimal in Folge; was ihr fehlt, wird mit GetRecord erfragt.",
    },
  },
  "page-repeated": {
    severity: "warning",
    section: `${protocol}FlowControl`,
    rule: {
      en: "Each resumptionToken leads to the next part of the list.",
      de: "Jedes resumptionToken führt zum nächsten Teil der Liste.",
    },
    effect: threeTimes,
  },
  "token-form": {
    severity: "warning",
    section: `${protocol}FlowControl`,
    rule: {
      en: "resumptionToken is an exclusive argument, URL-encoded by the harvester, by GET or POST.",
      de: "resumptionToken ist ein ausschließliches Argument, vom Harvester URL-kodiert, mit GET oder POST.",
    },
    effect: {
      en: "Ingather sends the request in the form that the repository reads.",
      de: "Ingather stellt die Anfrage in der Form, die das Repositorium liest.",
    },
  },
  "token-expired": {
    severity: "warning",
    section: `${protocol}FlowControl`,
    rule: tokenRule,
    effect: {
      en: "Ingather begins the list again, three times at most. Slices by month are shorter.",
      de: "Ingather beginnt die Liste von vorn, höchstens dreimal. Monatsabschnitte sind kürzer.",
    },
  },
  "token-short-lived": {
    severity: "info",
    section: `${protocol}FlowControl`,
    rule: tokenRule,
    effect: {
      en: "A pause of the host for longer restarts the list.",
      de: "Eine längere Pause des Hosts beginnt die Liste von vorn.",
    },
  },
  "token-not-repeatable": {
    severity: "warning",
    section: `${protocol}Idempotency`,
    rule: tokenRule,
    effect: {
      en: "A page whose response is lost restarts the list.",
      de: "Eine Seite, deren Antwort verloren ging, beginnt die Liste von vorn.",
    },
  },
  "token-unchecked": {
    severity: "info",
    section: `${protocol}FlowControl`,
    rule: {
      en: "An invalid token is a badResumptionToken.",
      de: "Ein ungültiges Token ist ein badResumptionToken.",
    },
    effect: {
      en: "A lost place in the list goes unnoticed, unless records are repeated or the size differs.",
      de: "Ein verlorener Platz in der Liste fällt nur auf, wenn sich Datensätze wiederholen oder die Zahl nicht stimmt.",
    },
  },
  "size-too-large": {
    severity: "warning",
    section: `${protocol}FlowControl`,
    rule: {
      en: "completeListSize is the size of the list.",
      de: "completeListSize ist die Größe der Liste.",
    },
    effect: {
      en: "Ingather takes the list as short, and deletes nothing; three equal counts show that the size is wrong.",
      de: "Ingather hält die Liste für zu kurz und löscht nichts; drei gleiche Zählungen zeigen, dass die Zahl falsch ist.",
    },
  },
  "size-too-small": {
    severity: "info",
    section: `${protocol}FlowControl`,
    rule: {
      en: "completeListSize is the size of the list.",
      de: "completeListSize ist die Größe der Liste.",
    },
    effect: kept,
  },
  "size-missing": {
    severity: "info",
    section: `${protocol}FlowControl`,
    rule: { en: "completeListSize is optional.", de: "completeListSize ist freiwillig." },
    effect: {
      en: "A list that is cut without a word looks complete; what it lacks is asked for by GetRecord.",
      de: "Eine stillschweigend gekürzte Liste sieht vollständig aus; was fehlt, wird mit GetRecord erfragt.",
    },
  },
  "deletions-not-kept": {
    severity: "info",
    section: `${protocol}DeletedRecords`,
    rule: {
      en: "A repository keeps its deletions permanently (persistent), for a limited time (transient) or not (no).",
      de: "Ein Repositorium kann Löschungen für immer (persistent), eine Weile (transient) oder nicht (no) aufbewahren.",
    },
    effect: {
      en: "Ingather reads the whole list from time to time (fullHarvestDays), and asks by GetRecord for what it lacks.",
      de: "Ingather liest von Zeit zu Zeit die ganze Liste (fullHarvestDays) und erfragt mit GetRecord, was ihr fehlt.",
    },
  },
  "tombstones-undeclared": {
    severity: "warning",
    section: `${protocol}DeletedRecords`,
    rule: {
      en: "A repository with deletedRecord no has no deleted records.",
      de: "Ein Repositorium mit deletedRecord no hat keine gelöschten Datensätze.",
    },
    effect: {
      en: "Ingather deletes the documents of tombstones, and reads the whole list as well.",
      de: "Ingather löscht die Dokumente der Grabsteine und liest auch die ganze Liste.",
    },
  },
  "metadata-missing": {
    severity: "warning",
    section: `${protocol}Record`,
    rule: {
      en: "A record has metadata, unless it is deleted.",
      de: "Ein Datensatz hat Metadaten, außer er ist gelöscht.",
    },
    effect: {
      en: "Ingather leaves the record out, with the reason.",
      de: "Ingather lässt den Datensatz mit Begründung aus.",
    },
  },
  "identifier-missing": {
    severity: "error",
    section: `${protocol}UniqueIdentifier`,
    rule: {
      en: "An item has a unique identifier, a URI.",
      de: "Ein Objekt hat einen eindeutigen identifier, eine URI.",
    },
    effect: { en: "Ingather leaves the record out.", de: "Ingather lässt den Datensatz aus." },
  },
  "datestamp-invalid": {
    severity: "warning",
    section: `${protocol}Dates`,
    rule: dateRule,
    effect: {
      en: "Ingather keeps the record; a list of changes may miss it.",
      de: "Ingather behält den Datensatz; eine Liste der Änderungen kann ihn auslassen.",
    },
  },
  "datestamp-future": {
    severity: "warning",
    section: `${protocol}Dates`,
    rule: dateRule,
    effect: {
      en: "Lists of changes repeat the record until that day; an unchanged one is not published again.",
      de: "Listen der Änderungen wiederholen ihn bis zu diesem Tag; unverändert wird er nicht erneut veröffentlicht.",
    },
  },
  "datestamp-granularity": {
    severity: "warning",
    section: `${protocol}Dates`,
    rule: dateRule,
    effect: {
      en: "Ingather asks in the granularity of Identify, with one granule of overlap.",
      de: "Ingather fragt in der Granularität von Identify, mit einer Einheit Überlappung.",
    },
  },
  "datestamp-order": {
    severity: "info",
    section: `${protocol}FlowControl`,
    rule: { en: "The order of a list is free.", de: "Die Reihenfolge einer Liste ist frei." },
    effect: {
      en: "A record that changes while the list is read may slip between two pages; GetRecord asks for it.",
      de: "Ein Datensatz, der sich während des Lesens ändert, kann zwischen zwei Seiten rutschen; GetRecord erfragt ihn.",
    },
  },
  "get-record-fails": {
    severity: "error",
    section: `${protocol}GetRecord`,
    rule: { en: "GetRecord gives a record of the list.", de: "GetRecord gibt einen Datensatz der Liste." },
    effect: getRecordEffect,
  },
  "get-record-invents": {
    severity: "error",
    section: `${protocol}GetRecord`,
    rule: {
      en: "An unknown identifier is answered by idDoesNotExist.",
      de: "Ein unbekannter identifier wird mit idDoesNotExist beantwortet.",
    },
    effect: getRecordEffect,
  },
  "list-identifiers-fails": {
    severity: "warning",
    section: `${protocol}ListIdentifiers`,
    rule: { en: "ListIdentifiers lists the headers.", de: "ListIdentifiers listet die header auf." },
    effect: {
      en: "Full lists are read with all their metadata (reconcileBy: records).",
      de: "Vollständige Listen werden mit allen Metadaten gelesen (reconcileBy: records).",
    },
  },
  "list-identifiers-differs": {
    severity: "warning",
    section: `${protocol}ListIdentifiers`,
    rule: {
      en: "ListIdentifiers has the headers of ListRecords.",
      de: "ListIdentifiers hat die header von ListRecords.",
    },
    effect: {
      en: "Full lists are read with all their metadata (reconcileBy: records).",
      de: "Vollständige Listen werden mit allen Metadaten gelesen (reconcileBy: records).",
    },
  },
  "window-refused": {
    severity: "error",
    section: `${protocol}SelectiveHarvestingandDatestamps`,
    rule: windowRule,
    effect: changesMissed,
  },
  "window-ignored": {
    severity: "warning",
    section: `${protocol}SelectiveHarvestingandDatestamps`,
    rule: windowRule,
    effect: {
      en: "Each list of changes is a list of everything; unchanged records are not published again.",
      de: "Jede Liste der Änderungen enthält alles; Unverändertes wird nicht erneut veröffentlicht.",
    },
  },
  "window-empty": {
    severity: "error",
    section: `${protocol}SelectiveHarvestingandDatestamps`,
    rule: windowRule,
    effect: changesMissed,
  },
  "seconds-refused": {
    severity: "warning",
    section: `${protocol}Dates`,
    rule: {
      en: "A repository whose granularity has seconds takes them in from and until.",
      de: "Ein Repositorium mit Sekunden in granularity nimmt sie in from und until an.",
    },
    effect: { en: "Ingather asks again, in days.", de: "Ingather fragt noch einmal, in Tagen." },
  },
  "bad-argument-accepted": {
    severity: "info",
    section: `${protocol}ErrorConditions`,
    rule: {
      en: "A request without a required argument is a badArgument.",
      de: "Eine Anfrage ohne ein nötiges Argument ist ein badArgument.",
    },
    effect: kept,
  },
} as const satisfies Record<string, FindingKind>;

export type FindingId = keyof typeof findingKinds;
