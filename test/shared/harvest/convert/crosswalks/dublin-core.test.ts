import { describe, expect, it } from "vitest";
import { controlValue, fieldsWith, qualifiedDc, recordOf } from "./crosswalk-cases.ts";

describe("Dublin Core → fields", () => {
  it.each([
    ["an inverted name", "<dc:creator>Miller, Ada</dc:creator>", ["100 1_ $aMiller, Ada$4aut"]],
    ["a direct name", "<dc:creator>Ada Miller</dc:creator>", ["100 1_ $aMiller, Ada$4aut"]],
    ["a single name → no evidence", "<dc:creator>Plato</dc:creator>", ["720 __ $aPlato$4aut"]],
    [
      "a body whose words are no names → no evidence",
      "<dc:creator>Team Moss 3000</dc:creator>",
      ["720 __ $aTeam Moss 3000$4aut"],
    ],
    ["a name with a unit", "<dc:creator>Rat der EKD</dc:creator>", ["110 2_ $aRat der EKD$4aut"]],
    ["a pope", "<dc:creator>Johannes Paul II.</dc:creator>", ["100 0_ $aJohannes Paul$bII.$4aut"]],
    [
      "titles and a place",
      "<dc:creator>Prof. Dr. Anna Schmidt (Tübingen)</dc:creator>",
      ["100 1_ $aSchmidt, Anna$4aut"],
    ],
    [
      "two persons",
      "<dc:creator>Müller, K. &amp; Schmidt, A.</dc:creator>",
      ["100 1_ $aMüller, K.$4aut", "700 1_ $aSchmidt, A.$4aut"],
    ],
    [
      "a fuller form in brackets",
      "<dc:creator>Lewis, C. S. (Clive Staples)</dc:creator>",
      ["100 1_ $aLewis, C. S. (Clive Staples)$4aut"],
    ],
    [
      "a body",
      "<dc:creator>World Health Organization</dc:creator>",
      ["110 2_ $aWorld Health Organization$4aut"],
    ],
    [
      "a name with its affiliation, and another",
      "<dc:creator>Miller, Ada; University of Bees</dc:creator><dc:contributor>Doe, J.</dc:contributor>",
      ["100 1_ $aMiller, Ada$uUniversity of Bees$4aut", "700 1_ $aDoe, J.$4ctb"],
    ],
    ["contributors alone", "<dc:contributor>Doe, J.</dc:contributor>", ["700 1_ $aDoe, J.$4ctb"]],
    ["an address as a name", "<dc:creator>https://a.example</dc:creator>", ["720 __ $ahttps://a.example"]],
  ])("%s", (_title, elements, expected) => {
    expect(fieldsWith(recordOf(qualifiedDc(elements)), "100", "110", "700", "710", "720")).toEqual(expected);
  });

  it.each([
    ["https://doi.org/10.1234/bees", ["024 7_ $a10.1234/bees$2doi", "856 40 $uhttps://doi.org/10.1234/bees"]],
    ["10.1234/bees", ["024 7_ $a10.1234/bees$2doi", "856 40 $uhttps://doi.org/10.1234/bees"]],
    ["http://hdl.handle.net/1765/635", ["024 7_ $a1765/635$2hdl", "856 40 $uhttp://hdl.handle.net/1765/635"]],
    [
      "https://n2t.net/ark:/12345/x1",
      ["024 7_ $aark:/12345/x1$2ark", "856 40 $uhttps://n2t.net/ark:/12345/x1"],
    ],
    ["urn:nbn:de:1-23", ["024 7_ $aurn:nbn:de:1-23$2urn"]],
    ["ISBN 978-3-16-148410-0", ["020 __ $a9783161484100"]],
    ["https://a.example/1", ["856 40 $uhttps://a.example/1"]],
    ["vit-m15", ["024 8_ $avit-m15"]],
    ["ISSN 2049-3630", ["773 08 $iIn:$x2049-3630"]],
  ])("the identifier %s", (identifier, expected) => {
    const record = recordOf(qualifiedDc(`<dc:identifier>${identifier}</dc:identifier>`));
    expect(fieldsWith(record, "020", "022", "024", "773", "856")).toEqual(expected);
  });

  it("the ISSN of a journal itself → 022", () => {
    const record = recordOf(
      qualifiedDc("<dc:type>Journal</dc:type><dc:identifier>2049-3630</dc:identifier>"),
    );
    expect(record.leader.slice(6, 8)).toBe("as");
    expect(fieldsWith(record, "022", "773")).toEqual(["022 __ $a2049-3630"]);
  });

  it("an article of Open Journal Systems → 773 with title, part and ISSN", () => {
    const record = recordOf(
      qualifiedDc(
        "<dc:type>info:eu-repo/semantics/article</dc:type><dc:source>0120-6230</dc:source><dc:source>Bees; Vol. 3 No. 2 (2013); 9-19</dc:source>",
      ),
    );
    expect(record.leader.slice(6, 8)).toBe("ab");
    expect(fieldsWith(record, "773", "786")).toEqual([
      "773 08 $iIn:$tBees$gVol. 3 No. 2 (2013); 9-19$x0120-6230",
    ]);
  });

  it.each([
    ["relation", "dc:relation", ["787 0_ $nX"]],
    ["isPartOf", "dcterms:isPartOf", ["773 0_ $tX"]],
    ["hasPart", "dcterms:hasPart", ["774 0_ $nX"]],
    ["isVersionOf", "dcterms:isVersionOf", ["775 0_ $nX"]],
    ["hasFormat", "dcterms:hasFormat", ["776 0_ $nX"]],
    ["replaces", "dcterms:replaces", ["780 00 $nX"]],
    ["isReplacedBy", "dcterms:isReplacedBy", ["785 00 $nX"]],
    ["isReferencedBy", "dcterms:isReferencedBy", ["510 0_ $aX"]],
    ["source", "dc:source", ["786 0_ $nX"]],
  ])("%s", (_title, name, expected) => {
    const tags = ["510", "773", "774", "775", "776", "780", "785", "786", "787"];
    expect(fieldsWith(recordOf(qualifiedDc(`<${name}>X</${name}>`)), ...tags)).toEqual(expected);
  });

  it.each([
    ["<dc:subject>a; b</dc:subject>", ["653 __ $aa", "653 __ $ab"]],
    ['<dc:subject xsi:type="dcterms:LCSH">Bees</dc:subject>', ["650 _0 $aBees"]],
    ['<dc:subject xsi:type="dcterms:MESH">Bees</dc:subject>', ["650 _2 $aBees"]],
    ["<dcterms:spatial>Spain</dcterms:spatial>", ["651 _4 $aSpain"]],
    ["<dcterms:temporal>1900</dcterms:temporal>", ["648 _4 $a1900"]],
  ])("%s", (elements, expected) => {
    expect(fieldsWith(recordOf(qualifiedDc(elements)), "648", "650", "651", "653")).toEqual(expected);
  });

  it.each([
    ["<dc:date>2013-05-01T10:00:00Z</dc:date>", "s2013    ", ["264 _1 $c2013"]],
    ["<dc:date>2015</dc:date><dc:date>2013</dc:date>", "s2013    ", ["264 _1 $c2013"]],
    ["<dc:date>2012</dc:date><dcterms:issued>2013</dcterms:issued>", "s2013    ", ["264 _1 $c2013"]],
    ["<dc:date>1860-1870</dc:date>", "m18601870", ["264 _1 $c1860-1870"]],
    ["<dc:date>[1860?]</dc:date>", "q1860    ", ["264 _1 $c1860"]],
    ["<dc:date>soon</dc:date><dc:publisher>P</dc:publisher>", "nuuuuuuuu", ["264 _1 $bP$csoon"]],
    ["", "nuuuuuuuu", []],
  ])("%s → 008/06-14 %s", (elements, fixed, expected) => {
    const record = recordOf(qualifiedDc(elements));
    expect(controlValue(record, "008")?.slice(6, 15)).toBe(fixed);
    expect(fieldsWith(record, "260", "264")).toEqual(expected);
  });

  it("languages → 041 and 008/35-37; what is none → 546", () => {
    const record = recordOf(
      qualifiedDc(
        "<dc:language>en-GB</dc:language><dc:language>deu</dc:language><dc:language>Runen</dc:language>",
      ),
    );
    expect(fieldsWith(record, "041", "546")).toEqual(["041 __ $aeng", "041 __ $ager", "546 __ $aRunen"]);
    expect(controlValue(record, "008")?.slice(35, 38)).toBe("eng");
  });

  it("008 has 40 characters, 006 has 18, the leader 24", () => {
    const record = recordOf(qualifiedDc("<dc:identifier>https://a.example/1</dc:identifier>"));
    expect([
      record.leader.length,
      controlValue(record, "006")?.length,
      controlValue(record, "008")?.length,
    ]).toEqual([24, 18, 40]);
    expect(controlValue(record, "007")).toBe("cr|||||");
  });
});
