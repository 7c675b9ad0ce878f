/**
 * Builds the page: `npm run build` writes built/ anew; `--tests` bundles the unit checks for node.
 *
 * built/ holds two scripts (with a server, and without one) and one style, named by their contents,
 * the licences of what is in the scripts, and manifest.json, which assets.py reads.
 */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const BUILT = join(HERE, "built");
const TESTS = join(HERE, "node_modules", ".tests");
const BROWSERS = ["chrome109", "firefox115", "safari15.4"];
const COMMON = {
  absWorkingDir: HERE,
  bundle: true,
  charset: "utf8",
  logLevel: "warning",
  legalComments: "none",
};

async function buildTests() {
  const names = await readdir(join(HERE, "source", "checks"));
  await rm(TESTS, { recursive: true, force: true });
  await build({
    ...COMMON,
    entryPoints: names.filter((name) => name.endsWith(".test.ts")).map((name) => `source/checks/${name}`),
    outdir: TESTS,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
  });
}

async function bundle(entry, options) {
  const made = await build({
    ...COMMON,
    entryPoints: [entry],
    minify: true,
    metafile: true,
    target: BROWSERS,
    write: false,
    ...options,
  });
  return { bytes: made.outputFiles[0].contents, inputs: Object.keys(made.metafile.inputs) };
}

/** The packages of which something is in the script, in order of their names. */
function packagesIn(inputs) {
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

async function licenceOf(name) {
  const folder = join(HERE, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const found = (await readdir(folder)).find((file) => /^licen[cs]e(\.md|\.txt)?$/i.test(file));
  const own = join(HERE, "licences", `${name}.txt`);
  if (!found && !existsSync(own)) throw new Error(`${name} ${version}: brings no licence text`);
  const text = await readFile(found ? join(folder, found) : own, "utf8");
  return { name, version, licence: license, text: text.trim() };
}

function named(stem, ending, bytes) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return `${stem}-${hash}.${ending}`;
}

async function buildPage() {
  const script = await bundle("source/main.ts", { format: "iife" });
  const still = await bundle("source/static.ts", { format: "iife" });
  const style = await bundle("source/style/index.css", {});
  const licences = await Promise.all(packagesIn(script.inputs).map(licenceOf));
  const texts = licences.map((one) => `${one.name} ${one.version} (${one.licence})\n\n${one.text}\n`);
  const names = {
    script: named("study", "js", script.bytes),
    static: named("static", "js", still.bytes),
    style: named("study", "css", style.bytes),
  };
  const bundled = licences.map(({ name, version, licence }) => ({ name, version, licence }));
  const fresh = join(HERE, "node_modules", ".built");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await writeFile(join(fresh, names.script), script.bytes);
  await writeFile(join(fresh, names.static), still.bytes);
  await writeFile(join(fresh, names.style), style.bytes);
  await writeFile(join(fresh, "LICENSES.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
  await writeFile(join(fresh, "manifest.json"), `${JSON.stringify({ ...names, bundled }, null, 2)}\n`);
  await rm(BUILT, { recursive: true, force: true });
  await rename(fresh, BUILT);
  console.log(`built/${names.script} ${script.bytes.length} bytes, built/${names.style} ${style.bytes.length} bytes`);
}

await (process.argv.includes("--tests") ? buildTests() : buildPage());
