/**
 * Measures the time and memory of each data set of the language detector in a separate process, and the size
 * of its bundle with the functions' settings: `npx node bench/languages.ts`.
 */
import { execFileSync } from "node:child_process";
import { build } from "esbuild";

const titles = [
  "A New Examination of the Controversy over the Hive",
  "Über die Geduld der Wespen",
  "Les abeilles du chanoine et leurs ruches",
  "Las abejas y el monasterio",
];
const rounds = 500;

for (const data of ["extrasmall", "small", "medium", "large"]) {
  const script = `
    const before = process.memoryUsage().rss, started = performance.now();
    const { eld } = await import("eld/${data}");
    const loaded = performance.now();
    for (let round = 0; round < ${rounds}; round++)
      for (const title of ${JSON.stringify(titles)}) eld.detect(title + round).getScores();
    const each = (performance.now() - loaded) / ${rounds * titles.length};
    const resident = (process.memoryUsage().rss - before) / 1e6;
    console.log(\`loaded in \${(loaded - started).toFixed(0)} ms, \${each.toFixed(3)} ms per title, \${resident.toFixed(0)} MB\`);
  `;
  const measured = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  console.log(
    `${data.padEnd(12)} ${(await bundledMegabytes(data)).toFixed(1)} MB bundled, ${measured.trim()}`,
  );
}

async function bundledMegabytes(data: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { eld } from "eld/${data}";`, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    minifySyntax: true,
  });
  return (outputFiles[0]?.contents.byteLength ?? 0) / 1e6;
}
