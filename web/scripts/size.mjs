// Prints what a module weighs with everything it needs, minified and packed, in bytes:
//   node scripts/size.mjs MODULE …
process.env.NODE_ENV = "production";
const { gzipSync } = await import("node:zlib");
const { svelte } = await import("@sveltejs/vite-plugin-svelte");
const { build } = await import("vite");

for (const entry of process.argv.slice(2)) {
  const result = await build({
    configFile: false,
    logLevel: "error",
    mode: "production",
    plugins: [svelte({ compilerOptions: { runes: true } })],
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2023",
      rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const parts = [result].flat().flatMap(({ output }) => output);
  const script = parts.map((part) => part.code ?? "").join("");
  console.log(`${entry} ${gzipSync(script).length}`);
}
