import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** The compiler options of the repository, but for those that keep it from writing. */
const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration"];

/** What a declaration imports of the repository. */
const ownImport = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

/**
 * Writes the declarations of TypeScript files, and of what these declare by, under the same paths as in the repository.
 * @param files from the root of the repository
 * @throws Error when a file has an error of types
 */
export function writeDeclarations(root: string, files: readonly string[], outdir: string): void {
  const folder = mkdtempSync(join(tmpdir(), "declarations-"));
  try {
    const project = join(folder, "tsconfig.json");
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: { rootDir: root, typeRoots: [join(root, "node_modules/@types")] },
        include: [],
        files: files.map((file) => join(root, file)),
      }),
    );
    const written = join(folder, "written");
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "--project", project, ...options, "--outDir", written], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const file of reachedFrom(files.map((each) => join(written, declarationOf(each))))) {
      const to = join(outdir, relative(written, file));
      mkdirSync(dirname(to), { recursive: true });
      // Compilers that do not import TypeScript by its name resolve this to the declaration, too.
      writeFileSync(to, readFileSync(file, "utf8").replaceAll(ownImport, '$1$2.js"'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files, and what they import of the repository: the compiler writes declarations of all that the code imports. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set(files);
  for (const file of reached) {
    for (const [, , path = ""] of readFileSync(file, "utf8").matchAll(ownImport)) {
      reached.add(join(dirname(file), declarationOf(`${path}.ts`)));
    }
  }
  return reached;
}

function declarationOf(file: string): string {
  return file.replace(/\.ts$/, ".d.ts");
}
