import {defineConfig} from 'vitest/config';

// Apart from vite.config.ts: the page is built without what only tests need.
export default defineConfig({test: {include: ['test/**/*.test.ts']}});
