import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Built into files the service serves itself; nothing is loaded from elsewhere, and nothing is inlined that a strict CSP forbids. */
export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist', assetsInlineLimit: 0, target: 'es2022', sourcemap: false },
  server: { proxy: { '/v1': 'http://localhost:8080', '/sandbox': 'http://localhost:8080' } },
});
