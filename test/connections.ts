import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile, type Plugin, transform } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Modules of Node by which connections can be opened, or processes that open them. */
const connecting = /^(node:)?(net|tls|http|https|http2|dgram|child_process)(\/|$)/;

/** Who may reach them, by whatever packages: the only client of content providers, and one way each to services of ours. */
const mayConnect: [file: RegExp, by: RegExp][] = [
  [/^shared\/web\//, /./],
  [/^shared\/delivery\/upload\/sftp-client\.ts$/, /^ssh2-sftp-client\//],
  [/^shared\/aws\//, /^(@aws-sdk|@smithy)\//],
  // Its durable executions, which are not used, load a client of AWS.
  [/^shared\/runtime\//, /^@middy\//],
  // Its composer of mails shares a file with its transports.
  [/^shared\/aws\/mailer\.ts$/, /^nodemailer\//],
];

/** Who may make a client of its own, past the gate: the gate, and what asks a server of ours. */
const mayMakeClients = /^(shared\/web\/|functions\/requests\/|shared\/harvest\/language\/tika\.ts$)/;

const client = "shared/web/exchange/http-client.ts";

/** What connects, or loads what does, without an import that the bundler sees. */
const hidden =
  /\b(fetch|WebSocket|EventSource|XMLHttpRequest|createRequire|getBuiltinModule|globalThis|require|eval)\b/;
const importOfVariable = /\bimport\s*\(\s*(?!"[^"]*"\s*[,)])/;

/**
 * Finds the files of functions and domain that could open a connection past the gate, each with how. What they import is
 * what the bundler finds for what is deployed, through all packages; types are not among it.
 * @param planted code to put at the end of files, by their path: to see that it is found
 */
export async function findConnections(planted: Record<string, string> = {}): Promise<string[]> {
  const files = globSync("{functions,shared}/**/*.ts", { cwd: root });
  const codeOf = (file: string) => `${readFileSync(join(root, file), "utf8")}\n${planted[file] ?? ""}`;
  const { inputs } = await importsOf(files, codeOf);
  const found = await Promise.all(
    files.map(async (file) => [
      ...ways(file, inputs).map((way) => `${file} reaches ${way}`),
      ...(await hiddenWays(file, codeOf(file))).map((way) => `${file} says ${way}`),
    ]),
  );
  return found.flat();
}

async function importsOf(files: string[], codeOf: (file: string) => string): Promise<Metafile> {
  const sources: Plugin = {
    name: "sources",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = path.slice(root.length + 1);
        return files.includes(file) ? { contents: codeOf(file), loader: "ts" } : undefined;
      }),
  };
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `import "./${file}";`).join("\n"), resolveDir: root },
    bundle: true,
    metafile: true,
    write: false,
    treeShaking: false,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    external: ["*.node"],
    plugins: [sources],
    logLevel: "error",
  });
  return metafile;
}

/** The ways on which a file comes to a module that connects, or to a client, other than through files of ours. */
function ways(file: string, inputs: Metafile["inputs"]): string[] {
  const targets = (inputs[file]?.imports ?? []).map(({ path }) => path);
  const found = targets.flatMap((target) => {
    if (target === client) return mayMakeClients.test(file) ? [] : ["createHttpClient"];
    if (connecting.test(target)) return mayReach(file, target) ? [] : [target];
    const name = /node_modules\/((@[^/]+\/)?[^/]+\/)/.exec(target)?.[1];
    if (name === undefined || mayReach(file, name)) return [];
    return connects(target, inputs) ? [name.slice(0, -1)] : [];
  });
  return [...new Set(found)];
}

function mayReach(file: string, target: string): boolean {
  return mayConnect.some(([files, by]) => files.test(file) && by.test(target));
}

/** Whether a file of a package comes to a module that connects, through whatever other packages. */
function connects(start: string, inputs: Metafile["inputs"]): boolean {
  const seen = new Set([start]);
  for (const file of seen) {
    for (const { path } of inputs[file]?.imports ?? []) {
      if (connecting.test(path)) return true;
      seen.add(path);
    }
  }
  return false;
}

async function hiddenWays(file: string, code: string): Promise<string[]> {
  if (file.startsWith("shared/web/")) return [];
  // Without comments and types, in one spelling.
  const { code: plain } = await transform(code, {
    loader: "ts",
    minifyWhitespace: true,
    legalComments: "none",
  });
  const name = hidden.exec(plain)?.[0];
  return [...(name === undefined ? [] : [name]), ...(importOfVariable.test(plain) ? ["import(…)"] : [])];
}
