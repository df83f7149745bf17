import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Assets stay files: of data: URLs, the service's Content-Security-Policy allows only images.
  build: { assetsInlineLimit: 0, target: 'es2022' },
  server: { proxy: { '/v1': 'http://localhost:8080', '/sandbox': 'http://localhost:8080' } },
});
