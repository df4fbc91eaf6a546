import { describe, expect, it } from "vitest";
import { controlValue, fieldsWith, mods, recordOf } from "./crosswalk-cases.ts";

describe("MODS → fields", () => {
  it.each<[string, string, string[], string[]]>([
    [
      "a person with dates, title, code and authority",
      '<name type="personal" valueURI="http://d-nb.info/gnd/1"><namePart type="family">Miller</namePart><namePart type="given">Ada</namePart><namePart type="date">1900-1980</namePart><namePart type="termsOfAddress">Sir</namePart><role><roleTerm type="code">aut</roleTerm></role><affiliation>U</affiliation></name>',
      ["100"],
      ["100 1_ $aMiller, Ada$cSir$d1900-1980$uU$0http://d-nb.info/gnd/1$4aut"],
    ],
    [
      "an editor is not a main entry",
      '<name type="personal"><namePart>Doe, J.</namePart><role><roleTerm type="text">Editor</roleTerm></role></name>',
      ["100", "700"],
      ["700 1_ $aDoe, J.$4edt"],
    ],
    [
      "a body with its unit",
      '<name type="corporate"><namePart>U</namePart><namePart>Dept</namePart><role><roleTerm type="text">creator</roleTerm></role></name>',
      ["110"],
      ["110 2_ $aU$bDept$4cre"],
    ],
    [
      "names without a type: a body, a person, no evidence, a body by its identifier",
      '<name><namePart>Rat der EKD</namePart></name><name><namePart>Karl Müller</namePart></name><name><namePart>Zotero</namePart></name><name valueURI="https://ror.org/03a1kwz48"><namePart>Google</namePart></name>',
      ["110", "700", "710", "720"],
      [
        "110 2_ $aRat der EKD",
        "700 1_ $aMüller, Karl",
        "710 2_ $aGoogle$0https://ror.org/03a1kwz48",
        "720 __ $aZotero",
      ],
    ],
    [
      "a conference, and an unknown role",
      '<name type="conference"><namePart>BeeConf 2013</namePart><role><roleTerm type="text">host</roleTerm></role></name>',
      ["711"],
      ["711 2_ $aBeeConf 2013$jhost"],
    ],
    [
      "titles",
      '<titleInfo type="alternative"><title>Alt</title></titleInfo><titleInfo type="uniform"><title>Uni</title></titleInfo><titleInfo type="translated"><nonSort>The </nonSort><title>Tr</title><partNumber>2</partNumber></titleInfo><titleInfo type="abbreviated"><title>Abb</title></titleInfo>',
      ["130", "210", "240", "242", "245", "246"],
      ["130 0_ $aUni", "210 1_ $aAbb", "242 14 $aThe Tr$n2", "245 00 $aT", "246 3_ $aAlt"],
    ],
    [
      "publication",
      '<originInfo eventType="publication"><place><placeTerm type="text">Bonn</placeTerm></place><publisher>P</publisher><dateIssued>1999</dateIssued><copyrightDate>1998</copyrightDate><edition>2nd</edition></originInfo>',
      ["250", "264"],
      ["250 __ $a2nd", "264 _1 $aBonn$bP$c1999", "264 _4 $c©1998"],
    ],
    [
      "creation",
      '<originInfo><dateCreated encoding="w3cdtf" point="start">1860</dateCreated><dateCreated encoding="w3cdtf" point="end">1865</dateCreated></originInfo>',
      ["046", "264"],
      ["046 __ $k1860$l1865", "264 _0 $c1860-1865"],
    ],
    [
      "subjects with authority, in order",
      '<subject authority="lcsh"><topic>Bees</topic><geographic>Spain</geographic><temporal>1900</temporal></subject><subject authority="gnd"><geographic>Bonn</geographic></subject><subject><name type="personal"><namePart>Doe, J.</namePart></name></subject><subject><hierarchicalGeographic><country>Spain</country><city>Madrid</city></hierarchicalGeographic></subject>',
      ["600", "650", "651", "752"],
      ["600 14 $aDoe, J.", "650 _0 $aBees$zSpain$y1900", "651 _7 $aBonn$2gnd", "752 __ $aSpain$dMadrid"],
    ],
    [
      "a host with part and ISSN",
      '<relatedItem type="host"><titleInfo><title>Bees</title></titleInfo><identifier type="issn">2049-3630</identifier><part><detail type="volume"><number>3</number></detail><detail type="issue"><number>2</number></detail><extent unit="page"><start>9</start><end>19</end></extent><date>2013</date></part></relatedItem>',
      ["773"],
      ["773 0_ $tBees$gvolume:3, year:2013, number:2, pages:9-19$q3:2<9$x2049-3630"],
    ],
    [
      "other related items",
      '<relatedItem type="preceding"><titleInfo><title>Old</title></titleInfo></relatedItem><relatedItem type="series"><titleInfo><title>Ser</title><partNumber>4</partNumber></titleInfo></relatedItem><relatedItem><location><url>https://b.example</url></location></relatedItem>',
      ["490", "780", "856"],
      ["490 0_ $aSer$v4", "780 00 $tOld", "856 42 $uhttps://b.example"],
    ],
    [
      "identifiers, valid or not",
      '<identifier type="doi">10.1234/x</identifier><identifier type="isbn">9783161484100</identifier><identifier type="isbn" invalid="yes">1</identifier><identifier type="issn">2049-3630</identifier><identifier type="hdl">1765/1</identifier><identifier type="local">L1</identifier>',
      ["020", "022", "024"],
      [
        "020 __ $a9783161484100",
        "020 __ $z1",
        "022 __ $a2049-3630",
        "024 7_ $a10.1234/x$2doi",
        "024 7_ $a1765/1$2hdl",
        "024 8_ $aL1",
      ],
    ],
    [
      "addresses: the page first, previews never",
      '<location><url access="preview">https://a.example/t</url><url displayLabel="Full">https://a.example/f</url><url usage="primary display">https://a.example/p</url></location>',
      ["856"],
      ["856 40 $uhttps://a.example/p", "856 40 $uhttps://a.example/f$3Full"],
    ],
    [
      "languages of the whole and of a part",
      '<language><languageTerm type="code" authority="iso639-2b">ger</languageTerm><languageTerm type="text">German</languageTerm></language><language objectPart="summary"><languageTerm type="code">eng</languageTerm></language>',
      ["041"],
      ["041 __ $ager", "041 __ $beng"],
    ],
    [
      "notes and conditions",
      '<note type="funding">F</note><note>N</note><abstract displayLabel="Review" xlink:href="https://a.example">A</abstract><accessCondition type="restriction on access">R</accessCondition><accessCondition>U</accessCondition>',
      ["500", "506", "520", "536", "540"],
      ["500 __ $aN", "506 __ $aR", "520 1_ $aA$uhttps://a.example", "536 __ $aF", "540 __ $aU"],
    ],
    [
      "content and carrier as stated",
      '<genre authority="rdacontent">text</genre><genre authority="marcgt">theses</genre><physicalDescription><form type="carrier" authority="rdacarrier">volume</form><extent>9 p.</extent></physicalDescription>',
      ["300", "336", "337", "338", "655"],
      [
        "300 __ $a9 p.",
        "336 __ $atext$2rdacontent",
        "338 __ $avolume$2rdacarrier",
        "655 _7 $atheses$2marcgt",
      ],
    ],
  ])("%s", (_title, elements, tags, expected) => {
    expect(fieldsWith(recordOf(mods(elements)), ...tags)).toEqual(expected);
  });

  it.each([
    ["<typeOfResource>still image</typeOfResource>", "km", "zu"],
    ['<typeOfResource manuscript="yes">text</typeOfResource>', "tm", "zu"],
    ["<typeOfResource>text</typeOfResource><originInfo><issuance>serial</issuance></originInfo>", "as", "tu"],
    ['<typeOfResource collection="yes">mixed material</typeOfResource>', "pc", "zu"],
    ["<location><url>https://a.example/1</url></location>", "am", "cr|||||"],
  ])("%s → leader/06-07 %s, 007 %s", (elements, expected, form) => {
    const record = recordOf(mods(elements));
    expect([record.leader.slice(6, 8), controlValue(record, "007")]).toEqual([expected, form]);
  });

  it("008: entry, dates, country, audience, contents, literary form and language", () => {
    const record = recordOf(
      mods(
        '<typeOfResource>text</typeOfResource><genre authority="marcgt">bibliography</genre><genre authority="marcgt">poetry</genre><targetAudience authority="marctarget">juvenile</targetAudience><originInfo><place><placeTerm type="code" authority="marccountry">gw</placeTerm></place><dateIssued encoding="marc" point="start">1990</dateIssued><dateIssued encoding="marc" point="end">1995</dateIssued><issuance>monographic</issuance></originInfo><language><languageTerm type="code">fre</languageTerm></language><recordInfo><recordCreationDate encoding="marc">010203</recordCreationDate></recordInfo>',
      ),
    );
    expect(controlValue(record, "008")).toBe("010203m19901995gw ||||j|b||||||||p|fre||");
  });
});
