import { SaxesParser } from "saxes";
import { readMarcXml } from "../shared/marc/marcxml-reader.ts";
import { writeMarcXml, marcXmlOf } from "../shared/marc/marcxml-writer.ts";
import { writeIso2709 } from "../shared/marc/iso2709-writer.ts";
import { readIso2709 } from "../shared/marc/iso2709-reader.ts";
import { createRequire } from "node:module";
const require = createRequire("/work/main/bench/x.ts");
const Marc = require("marcjs").Marc ?? require("marcjs/lib/Marc.js");
function sample(i: number): any {
  return { leader: "00000nab a2200000   4500", control: [["001", `IxTheo#2026-01-01#${i}`], ["003", "DE-Tue135"], ["007", "cr|||||"]],
    fields: [["024","7 ",[["a",`10.1234/abc.${i}`],["2","doi"]]],["040","  ",[["a","DE-627"],["b","ger"],["c","DE-627"],["e","rda"]]],["041","  ",[["a","eng"]]],["084","  ",[["a","1"],["2","ssgn"]]],
    ["100","1 ",[["4","aut"],["a",i % 3 ? "Doe, Jane" : "Müller, Jörg"],["e","VerfasserIn"]]],["245","00",[["a",`A Test Title number ${i} & more`]]],["264"," 1",[["c","2021"]]],
    ["520","  ",[["a","This article examines the reception of the text in the middle ages and shows how a “reading” was made. ".repeat(4)]]],
    ["650"," 4",[["a","History"]]],["650"," 4",[["a","Religion"]]],
    ["773","08",[["i","In: "],["t","Test journal"],["x","2049-3630"],["w","(DE-627)320636356"],["g","12 (2021), 3, Seite 1-20"]]],["852","  ",[["a","DE-Tue135"]]],
    ["856","40",[["u","https://example.org/article/1"],["z","ZZ"]]],["912","  ",[["a","NOMM"]]],["935","  ",[["a","mteo"]]],["935","  ",[["a","ixzs"],["2","LOK"]]],["935","  ",[["a","zota"],["2","LOK"]]],
    ["936","uw",[["d","12"],["e","3"],["h","1-20"],["j","2021"]]],["JOU","  ",[["a","Test journal"]]],["URL","  ",[["a","https://example.org/article/1"]]],["ZID","  ",[["a","4711"],["b","ixtheo"]]]] };
}
const N = 5000;
const recs = Array.from({length: N}, (_, i) => sample(i));
const xml = writeMarcXml(recs);
const chunks: Uint8Array[] = []; for (let i = 0; i < xml.length; i += 65536) chunks.push(xml.subarray(i, i + 65536));
function bare() { const d = new TextDecoder("utf-8",{fatal:true}); const p = new SaxesParser(); let n = 0; p.on("opentag", (t) => { n += t.name.length; }); p.on("text", (t) => { n += t.length; }); p.on("closetag", (t) => { n++; }); for (const c of chunks) p.write(d.decode(c, {stream:true})); p.close(); return n; }
async function ours() { let n = 0; for await (const o of readMarcXml(chunks)) { if (o.type !== "record") throw new Error(o.reason); n++; } return n; }
const Rec = require("marcjs/lib/Record.js"); const mrecs = recs.map((r: any) => { const m = new Rec(); m.leader = r.leader; m.fields = [...r.control, ...r.fields.map(([t,i,s]: any) => [t,i,...s.flat()])]; return m; });
const iso = Buffer.concat(recs.map((r) => (writeIso2709(r) as any).bytes));
const ichunks: Uint8Array[] = []; for (let i = 0; i < iso.length; i += 65536) ichunks.push(iso.subarray(i, i + 65536));
const jobs: Record<string, () => any> = {
  bare, ours,
  "xml ours": () => writeMarcXml(recs),
  "xml marcjs": () => Buffer.from(mrecs.map((m: any) => Marc.format ? Marc.format(m, "marcxml") : "").join("")),
  "iso ours": () => Buffer.concat(recs.map((r) => (writeIso2709(r) as any).bytes)),
  "iso marcjs": () => Buffer.concat(mrecs.map((m: any) => Buffer.from(Marc.format(m, "iso2709")))),
  "iso read": async () => { let n = 0; for await (const o of readIso2709(ichunks)) { if (o.type !== "record") throw new Error(o.reason); n++; } return n; },
};
const best: any = {};
for (let r = 0; r < 8; r++) for (const [k, f] of Object.entries(jobs)) { const t = performance.now(); await f(); const e = performance.now() - t; best[k] = Math.min(best[k] ?? 1e9, e); }
for (const k in best) console.log(k.padEnd(12), best[k].toFixed(1), "ms", Math.round(N / best[k] * 1000), "rec/s");
