import {defineConfig} from 'vite';

// Everything is served by `loam studio` below a secret address: so addresses are relative.
export default defineConfig({
  base: './',
  esbuild: {jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none'},
  build: {target: 'es2022', modulePreload: {polyfill: false}, assetsInlineLimit: 0, chunkSizeWarningLimit: 2000},
});
