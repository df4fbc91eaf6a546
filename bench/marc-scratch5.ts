import { SaxesParser } from "saxes";
import { writeMarcXml } from "../shared/marc/marcxml-writer.ts";
import { structureProblem } from "../shared/marc/structure.ts";
import { readMarcXml } from "../shared/marc/marcxml-reader.ts";
import { readFileSync } from "node:fs";
const src = readFileSync("bench/marc-scratch.ts", "utf8");
const fn = src.slice(src.indexOf("function sample"), src.indexOf("const N = "));
const sample = new Function("i", fn.replace("function sample(i: number): any", "function sample(i)") + "; return sample(i)");
const N = 5000; const recs = Array.from({length: N}, (_, i) => sample(i));
const xml = writeMarcXml(recs as any);
const chunks: Uint8Array[] = []; for (let i = 0; i < xml.length; i += 65536) chunks.push(xml.subarray(i, i + 65536));
function run(p: any) { const d = new TextDecoder("utf-8",{fatal:true}); for (const c of chunks) p.write(d.decode(c, {stream:true})); p.close(); }
const jobs: any = {
 bare: () => { const p = new SaxesParser(); let n = 0; p.on("opentag", (t) => { n += t.name.length; }); p.on("text", (t) => { n += t.length; }); p.on("closetag", () => { n++; }); run(p); },
 texts: () => { const p = new SaxesParser(); let a: any[] = []; p.on("opentag", (t) => { if (t.name === "record") a = []; }); p.on("text", (t) => { a.push(t); }); p.on("closetag", () => {  }); run(p); },
 min: () => { const p = new SaxesParser(); let f: any[] = [], sf: any[] = [], code = "", text = ""; 
   p.on("opentag", (t) => { const a = t.attributes; switch (t.name) { case "subfield": code = a["code"] as string; text = ""; break; case "datafield": sf = []; f.push([a["tag"], (a["ind1"] as string) + a["ind2"], sf]); break; case "record": f = []; } });
   p.on("text", (t) => { text += t; }); p.on("closetag", (t) => { if (t.name === "subfield") sf.push([code, text]); else if (t.name === "record") structureProblem({leader: "00000nab a2200000   4500", control: [], fields: f}); }); run(p); },
 minTagless: () => { const p = new SaxesParser(); let f: any[] = [], sf: any[] = [], tag: any, text = ""; 
   p.on("opentag", (t) => { tag = t; text = ""; if (t.name === "datafield") sf = []; });
   p.on("text", (t) => { text += t; }); p.on("closetag", (t) => { switch (t.name) { case "subfield": sf.push([t.attributes["code"], text]); break; case "datafield": f.push([t.attributes["tag"], (t.attributes["ind1"] as string) + t.attributes["ind2"], sf]); break; case "record": f = []; }}); run(p); },
 minMap: () => { const p = new SaxesParser(); let f: any[] = [], sf: any[] = [], code = "", text = ""; const m = new Map([["subfield", 1], ["datafield", 2], ["record", 3], ["collection", 4], ["leader", 5], ["controlfield", 6]]); let k: any;
   p.on("opentag", (t) => { const a = t.attributes; k = m.get(t.name); switch (k) { case 1: code = a["code"] as string; text = ""; break; case 2: sf = []; f.push([a["tag"], (a["ind1"] as string) + a["ind2"], sf]); break; case 3: f = []; } });
   p.on("text", (t) => { text += t; }); p.on("closetag", (t) => { if (t.name === "subfield") sf.push([code, text]); }); run(p); },
 ours: async () => { for await (const o of readMarcXml(chunks)) if (o.type !== "record") throw o; },
};
let b = 1e9; const k = process.argv[2]!;
for (let i = 0; i < 12; i++) { const t = performance.now(); await jobs[k](); b = Math.min(b, performance.now() - t); }
console.log(k.padEnd(10), (b / N * 1000).toFixed(1), "us/record");
