import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The page that the desktop client serves on its own computer. It is built apart from the pages of the server: the client is
 * installed with its own files alone, and the pieces of those pages stay as they are.
 */
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    outDir: '../client/dist/web',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'client.html' },
  },
})
