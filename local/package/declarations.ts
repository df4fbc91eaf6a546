import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** The compiler options of the repository, except those that prevent output. */
const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration"];

/** Matches imports from the repository in a declaration. */
const ownImport = /(\bfrom "|\bimport\(")(\.[^"]+)\.ts"/g;

/**
 * Writes the declarations of TypeScript files, and of the files on which these declarations depend, under the
 * same paths as in the repository.
 * @param files paths from the root of the repository
 * @throws Error if a file has a type error
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
      // The suffix is replaced for compilers that do not import TypeScript files by name. They resolve the
      // new name to the declaration.
      writeFileSync(to, readFileSync(file, "utf8").replaceAll(ownImport, '$1$2.js"'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the files and their imports from the repository, because the compiler writes declarations of
 * everything that the code imports.
 */
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
