import { writeMarcXml } from "../shared/marc/marcxml-writer.ts";
import { writeIso2709 } from "../shared/marc/iso2709-writer.ts";
import { validateRecord } from "../shared/validation/validate-record.ts";
import { compileRules } from "../shared/validation/rule-set.ts";
import { sampleRules } from "./marc-rules.ts";
import { sampleRecords } from "./marc-samples.ts";
const N = 2000; const r = sampleRecords(N); const rules = compileRules(sampleRules);
const jobs: any = { xml: () => writeMarcXml(r), iso: () => r.map((x) => writeIso2709(x)), val: () => r.map((x) => validateRecord(x, { sourceId: "a", rules })) };
for (const k of (process.argv[2] ?? "xml,iso,val").split(",")) { let b = 1e9; for (let i = 0; i < 40; i++) { const t = performance.now(); jobs[k](); b = Math.min(b, performance.now() - t); } console.log(k, (b / N * 1000).toFixed(2), "us"); }
