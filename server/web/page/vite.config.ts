import { defineConfig } from "vite";

// The API is on the same origin as the page, so the page needs no setting; `npm run dev` passes calls on to a running server. Built, it
// lies in ../site, from where the server sends it; it is committed, so that nobody who installs Seatmate needs Node.
export default defineConfig({
  base: "./",
  build: { outDir: "../site", emptyOutDir: true, target: "es2022", sourcemap: false, modulePreload: { polyfill: false } },   // inline scripts are forbidden by our CSP
  server: { proxy: { "/seatmate.v1.": process.env["SEATMATE"] ?? "http://127.0.0.1:50051" } },
});
