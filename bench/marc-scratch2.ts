import { structureProblem } from "../shared/marc/structure.ts";
import { readFileSync } from "node:fs";
const src = readFileSync("bench/marc-scratch.ts", "utf8");
const fn = src.slice(src.indexOf("function sample"), src.indexOf("const N = "));
const sample = new Function("i", fn.replace("function sample(i: number): any", "function sample(i)") + "; return sample(i)");
const N = 5000; const recs = Array.from({length: N}, (_, i) => sample(i));
const vals = recs.flatMap((r: any) => [...r.control.map((c: any) => c[1]), ...r.fields.flatMap((f: any) => f[2].map((s: any) => s[1]))]);
const re1 = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
const re2 = /[&<>"\u0001-\u001f\ud800-\udfff\uFFFE\uFFFF]/;
function loop(v: string) { for (let i = 0; i < v.length; i++) { const c = v.charCodeAt(i); if (c < 0x20 || c === 38 || c === 60 || c === 62 || c === 34 || c >= 0xd800) return true; } return false; }
const tbl = new Uint8Array(256); for (let i = 0; i < 32; i++) tbl[i] = 1; for (const c of [38,60,62,34]) tbl[c] = 1;
function loop2(v: string) { for (let i = 0; i < v.length; i++) { const c = v.charCodeAt(i); if (c < 256 ? tbl[c] : c >= 0xd800) return true; } return false; }
const re3 = /[^ !#-%'-;=?-~\u0080-\uD7FF]/;
const jobs: any = {
 structure: () => { for (const r of recs) structureProblem(r); },
 re1: () => { let n = 0; for (const v of vals) if (re1.test(v)) n++; return n; },
 re2: () => { let n = 0; for (const v of vals) if (re2.test(v)) n++; return n; },
 re3: () => { let n = 0; for (const v of vals) if (re3.test(v)) n++; return n; },
 loop: () => { let n = 0; for (const v of vals) if (loop(v)) n++; return n; },
 loop2: () => { let n = 0; for (const v of vals) if (loop2(v)) n++; return n; },
 byteLength: () => { let n = 0; for (const v of vals) n += Buffer.byteLength(v); return n; },
 search3: () => { let n = 0; for (const v of vals) n+= v.search(re3); return n; },
};
console.log(vals.length / N, "values", vals.join("").length / N, "chars per record");
for (const k in jobs) { let b = 1e9, r; for (let i = 0; i < 10; i++) { const t = performance.now(); r = jobs[k](); b = Math.min(b, performance.now() - t); } console.log(k, (b / N * 1000).toFixed(2), "us/record", r); }
