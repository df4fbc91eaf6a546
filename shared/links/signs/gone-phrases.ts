/**
 * The phrases by which pages say in six languages that what was asked for is gone. `whole` are whole titles and
 * headings; `within` occur in the text of pages that say little else. All are in lower case.
 */
interface GonePhrases {
  whole: readonly string[];
  within: readonly string[];
}

const english: GonePhrases = {
  whole: [
    "(?:http |status |error |code )*404",
    "(?:http )?(?:error )?404[ :,.–-]*(?:error|(?:page |file |item |article |document )?not found|not found error)",
    "(?:page|file|article|item|document|record|resource|object|content|issue|publication|object)?(?: was| is| cannot be| could not be| can't be)?(?: not|) ?not found",
    "(?:the |this |that )?(?:requested )?(?:page|file|article|item|document|record|resource|content|issue|publication|url)(?: you (?:requested|are looking for|were looking for))? (?:(?:was|is) not found|(?:could|can) ?not be found|can't be found|couldn't be found|does(?: not|n't) exist|is (?:not|no longer) available|is unavailable|(?:has been|was|is) (?:removed|deleted|withdrawn)|no longer exists)",
    "(?:we )?(?:can't|cannot|couldn't|could not) find (?:that|the|this|your) page(?: you(?:'re| are) looking for)?",
    "invalid (?:identifier|handle|item|record|url)",
    "(?:item|record|article) (?:withdrawn|deleted|removed)",
    "error 404 \\(not found\\)",
    "nothing (?:was )?found(?: here)?",
  ],
  within: [
    "(?:page|article|file|document|item|record|resource|url|address)(?: that)?(?: you(?:'ve| have)?)?(?: (?:requested|are looking for|were looking for|are trying to (?:access|reach)))?,? (?:was not found|could ?n[o']t be found|cannot be found|can't be found|does(?: not|n't) exist|no longer exists|is no longer available|has been (?:removed|deleted|withdrawn|moved or deleted)|was (?:removed|deleted|withdrawn))",
    "(?:we )?(?:can't|cannot|couldn't|could not) find (?:the|that|this) (?:page|article|item|document|record)",
    "(?:selected |requested )?item (?:is|has been) withdrawn",
  ],
};

const german: GonePhrases = {
  whole: [
    "(?:fehler |http )?404[ :,.–-]*(?:(?:seite |datei |artikel |dokument )?nicht gefunden|fehler)",
    "(?:fehler )?404",
    "(?:die |diese |der |das )?(?:angeforderte |gesuchte |gewünschte )?(?:seite|datei|dokument|artikel|datensatz|objekt|inhalt|beitrag)(?: wurde| konnte| ist)?(?: leider)? (?:nicht gefunden(?: werden)?|nicht (?:mehr )?(?:verfügbar|vorhanden)|existiert nicht(?: mehr)?|gelöscht|entfernt)",
    "nicht gefunden",
  ],
  within: [
    "(?:seite|datei|dokument|artikel|datensatz|objekt|inhalt|beitrag|adresse)(?: wurde| konnte| ist| existiert)?(?: unter dieser adresse)?(?: leider)? (?:nicht gefunden|nicht mehr (?:verfügbar|vorhanden|existiert)|nicht (?:verfügbar|vorhanden)|gelöscht|entfernt|nicht mehr)",
  ],
};

const french: GonePhrases = {
  whole: [
    "(?:erreur )?404",
    "(?:erreur )?404[ :,.–-]*(?:(?:page|fichier|document|article) (?:non trouvée?|introuvable|inexistante?)|non trouvée?)",
    "(?:la |cette |le |l[’'])?(?:page|fichier|document|article|ressource|notice)(?: demandée?| que vous (?:cherchez|recherchez))? (?:est |n[’']a pas été |n[’']existe )?(?:non trouvée?|introuvable|trouvée?|inexistante?|pas|plus|supprimée?)",
  ],
  within: [
    "(?:page|fichier|document|article|ressource|notice)(?: demandée?| que vous (?:cherchez|recherchez|avez demandée?))? (?:est introuvable|n[’']a pas été trouvée?|n[’']existe (?:pas|plus)|n[’']est (?:pas|plus) disponible|a été (?:supprimée?|retirée?))",
  ],
};

const spanish: GonePhrases = {
  whole: [
    "(?:error )?404",
    "(?:error )?404[ :,.–-]*(?:(?:página|archivo|documento|artículo) no encontrad[oa]|no encontrad[oa])",
    "(?:la |el |esta )?(?:página|archivo|documento|artículo|recurso|registro)(?: solicitad[oa]| que busca)? (?:no encontrad[oa]|no (?:se |ha sido |fue )?(?:encontrad[oa]|encontró|existe)|no (?:está )?disponible|eliminad[oa])",
  ],
  within: [
    "(?:página|archivo|documento|artículo|recurso|registro)(?: solicitad[oa]| que (?:busca|buscas|está buscando|ha solicitado))? (?:no (?:se )?(?:ha sido |ha )?(?:encontrad[oa]|encontró|encuentra)|no existe|ya no (?:existe|está disponible)|ha sido (?:eliminad[oa]|retirad[oa]))",
  ],
};

const italian: GonePhrases = {
  whole: [
    "(?:errore )?404",
    "(?:errore )?404[ :,.–-]*(?:(?:pagina|file|documento|articolo) non trovat[oa]|non trovat[oa])",
    "(?:la |il |l[’'])?(?:pagina|file|documento|articolo|risorsa)(?: richiest[oa]| cercat[oa])? (?:non (?:è stat[oa] )?trovat[oa]|non esiste|non (?:è )?(?:più )?disponibile|rimoss[oa])",
  ],
  within: [
    "(?:pagina|file|documento|articolo|risorsa)(?: richiest[oa]| che (?:cerchi|stai cercando|hai richiesto))? (?:non (?:è stat[oa] trovat[oa]|esiste(?: più)?|è (?:più )?disponibile)|è stat[oa] (?:rimoss[oa]|eliminat[oa]|cancellat[oa]))",
  ],
};

const portuguese: GonePhrases = {
  whole: [
    "(?:erro )?404",
    "(?:erro )?404[ :,.–-]*(?:(?:página|arquivo|ficheiro|documento|artigo) não encontrad[oa]|não encontrad[oa])",
    "(?:a |o |esta )?(?:página|arquivo|ficheiro|documento|artigo|recurso|registro|registo)(?: solicitad[oa]| que procura)? (?:não (?:foi )?encontrad[oa]|não existe|(?:não está|indisponível)(?: disponível)?|removid[oa])",
  ],
  within: [
    "(?:página|arquivo|ficheiro|documento|artigo|recurso|registro|registo)(?: solicitad[oa]| que (?:procura|você procura|procurava|solicitou))? (?:não (?:foi |pôde ser |pode ser )?encontrad[oa]|não existe(?: mais)?|já não existe|não está (?:mais )?disponível|foi (?:removid[oa]|excluíd[oa]|eliminad[oa]))",
  ],
};

const languages = [english, german, french, spanish, italian, portuguese];

/** An apology before the phrase. */
const before =
  "(?:(?:we(?:'re| are) )?sorry|oops|uh[- ]?oh|hoppla|es tut uns leid|leider|entschuldigung|désolée?|oups|lo sentimos|ups|spiacenti|siamo spiacenti|desculpe|lamentamos)?[,!.:… –-]*(?:but )?";

/** Matches a whole title or heading that says that the page is gone. */
export const goneWhole = new RegExp(
  `^${before}(?:${languages.flatMap(({ whole }) => whole).join("|")})[.!…: ]*(?:\\(404\\))?$`,
);

/** Matches a part of the text of a page that says that the page is gone. Titles of works often continue with a colon. */
export const goneWithin = new RegExp(
  `(?:${languages.flatMap(({ within }) => within).join("|")})(?=\\s*(?:[.!,;…]|$|on |anymore|mehr|or |ou |o ))`,
);
