import { Utf8Writer } from "../shared/marc/utf8-writer.ts";
import { structureProblem } from "../shared/marc/structure.ts";
import { writeMarcXml } from "../shared/marc/marcxml-writer.ts";
import { parseIso2709 } from "../shared/marc/iso2709-reader.ts";
import { writeIso2709 } from "../shared/marc/iso2709-writer.ts";
import { readFileSync } from "node:fs";
const src = readFileSync("bench/marc-scratch.ts", "utf8");
const fn = src.slice(src.indexOf("function sample"), src.indexOf("const N = "));
const sample = new Function("i", fn.replace("function sample(i: number): any", "function sample(i)") + "; return sample(i)");
const N = 2000; let recs: any[] = Array.from({length: N}, (_, i) => sample(i));
if (process.argv[2] === "iso") recs = recs.map((r) => (parseIso2709((writeIso2709(r) as any).bytes) as any).record);
const special = new Uint8Array(128); for (let i = 0; i < 32; i++) special[i] = 1; for (const c of "<>&\"") special[c.charCodeAt(0)] = 1; special[127] = 1;
const needsCare = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
const esc = (v: string) => v.replace(/[&<>"\r]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#xD;" } as any)[c]);
const re = /[^ !#-%'-;=?-~\u00a0-\uD7FF\ue000-\ufffd]/;
const re0 = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
const out = new Utf8Writer();
function val(v: string) { if (!out.plain(v, special)) out.text(needsCare.test(v) ? esc(v) : v); }
const e1 = (v: string) => re.test(v) ? esc(v) : v;
const jobs: any = {
  old: () => writeMarcXml(recs),
  bytes: () => { for (const r of recs) { structureProblem(r); out.ascii("<record>\n  <leader>"); out.ascii(r.leader); out.ascii("</leader>\n"); for (const c of r.control) { out.ascii('  <controlfield tag="'); out.ascii(c[0]); out.ascii('">'); val(c[1]); out.ascii("</controlfield>\n"); }
    for (const f of r.fields) { out.ascii('  <datafield tag="'); out.ascii(f[0]); out.ascii('" ind1="'); out.ascii(f[1][0]); out.ascii('" ind2="'); out.ascii(f[1][1]); out.ascii('">\n'); for (const s of f[2]) { out.ascii('    <subfield code="'); val(s[0]); out.ascii('">'); val(s[1]); out.ascii("</subfield>\n"); } out.ascii("  </datafield>\n"); } out.ascii("</record>\n"); } return out.take(); },
  strings: () => { let all: any[] = []; let x = ""; for (const r of recs) { structureProblem(r); x += "<record>\n  <leader>" + r.leader + "</leader>\n"; for (const c of r.control) x += `  <controlfield tag="${c[0]}">${e1(c[1])}</controlfield>\n`;
    for (const f of r.fields) { x += `  <datafield tag="${f[0]}" ind1="${f[1][0]}" ind2="${f[1][1]}">\n`; for (const s of f[2]) x += `    <subfield code="${s[0]}">${e1(s[1])}</subfield>\n`; x += "  </datafield>\n"; } x += "</record>\n"; if (x.length > 65536) { all.push(Buffer.from(x)); x = ""; } } all.push(Buffer.from(x)); return Buffer.concat(all); },
  array: () => { let all: any[] = []; let x: string[] = []; for (const r of recs) { structureProblem(r); x.push("<record>\n  <leader>", r.leader, "</leader>\n"); for (const c of r.control) x.push(`  <controlfield tag="`, c[0], '">', e1(c[1]), `</controlfield>\n`);
    for (const f of r.fields) { x.push(`  <datafield tag="`, f[0], `" ind1="`, f[1][0], `" ind2="`, f[1][1], `">\n`); for (const s of f[2]) x.push(`    <subfield code="`, s[0], '">', e1(s[1]), `</subfield>\n`); x.push("  </datafield>\n"); } x.push("</record>\n"); if (x.length > 10000) { all.push(Buffer.from(x.join(""))); x = []; } } all.push(Buffer.from(x.join(""))); return Buffer.concat(all); },
};
const b: any = {};
for (let i = 0; i < 20; i++) for (const k in jobs) { const t = performance.now(); const x = jobs[k](); b[k] = Math.min(b[k] ?? 1e9, performance.now() - t); if (i === 0) console.log(k, x.length); }
for (const k in b) console.log(k, (b[k] / N * 1000).toFixed(1), "us/rec");
