import { expect, it } from "vitest";
import { detectEmbedded } from "../../../../shared/formats/language/embedded-detector.ts";

it.for([
  ["A New Examination of the Controversy over the Hive", ["eng", "ger"], "en"],
  ["Über die Geduld der Wespen", ["eng", "ger"], "de"],
  ["Les abeilles du chanoine et leurs ruches", ["eng", "fre"], "fr"],
  ["Las abejas y el monasterio", ["eng", "spa"], "es"],
  ["Il miele nella storia dei monasteri", ["ita", "eng"], "it"],
  ["Contribuição ao estudo das abelhas da região", ["por", "eng"], "pt"],
  ["Over het geduld van de wespen", ["dut", "ger"], "nl"],
  ["Пчёлы и монастырь в средние века", ["rus", "eng"], "ru"],
  ["Οι μέλισσες και το μοναστήρι", ["gre", "eng"], "el"],
  ["כוורות ודבש בתקופת המקרא", ["heb", "eng"], "he"],
  // The detector returns an unexpected language too: its caller decides whether it counts.
  ["Les abeilles du chanoine et leurs ruches", ["eng", "ger"], "fr"],
  // "Rezension" scores as English and French a hair before German.
  ["Rezension", ["ger", "fin"], "de"],
] as const)("%s, expected %j → %s", async ([text, expected, code]) => {
  expect(await detectEmbedded(text, expected)).toEqual({ type: "detected", code });
});

it.for(["", "—", "12 (3), 45–67"])("%j → unknown", async (text) => {
  expect(await detectEmbedded(text, ["eng", "ger"])).toEqual({ type: "unknown" });
});
