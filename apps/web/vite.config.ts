import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build as bundle } from 'rolldown'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { firstViewChunks } from './scripts/first-view-chunks.ts'
import type { Manifest } from './scripts/manifest.ts'
import { pageHeads } from './scripts/page-heads.ts'
import { ENTRY_PAGES, entryPageAt } from './src/entries/entry-pages.ts'

const SERVER = process.env['DEV_SERVER'] ?? 'http://127.0.0.1:8090'

/** Writes `.br` and `.gz` beside every text asset, so that the server never compresses while it serves. */
function compressed(): Plugin {
  return {
    name: 'compressed-assets',
    apply: 'build',
    // After everything that still changes the bundle.
    async writeBundle({ dir = 'dist' }) {
      const assets = join(dir, 'assets')
      const names = (await readdir(assets)).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(
        names.map(async (name) => {
          const source = await readFile(join(assets, name))
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
          await writeFile(join(assets, `${name}.br`), brotliCompressSync(source, quality))
          await writeFile(join(assets, `${name}.gz`), gzipSync(source, { level: 9 }))
        }),
      )
    },
  }
}

/** Lists the pages and their addresses for the server, and answers like it while developing. */
function entryPages(): Plugin {
  return {
    name: 'entry-pages',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const path = request.url?.split('?')[0] ?? '/'
        if (request.headers.accept?.includes('text/html') === true) request.url = `/${entryPageAt(path).html}`
        next()
      })
    },
    async writeBundle({ dir = 'dist' }) {
      const manifest = JSON.parse(await readFile(join(dir, '.vite/manifest.json'), 'utf8')) as Manifest
      const pages = ENTRY_PAGES.map((page) => ({ ...page, heads: pageHeads(manifest, page) }))
      await writeFile(join(dir, 'pages.json'), JSON.stringify(pages))
    },
  }
}

/** Character maps, standard fonts and decoders that the PDF viewer fetches when a document needs them. */
function pdfData(): Plugin {
  return {
    name: 'pdf-data',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const from = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
      for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
        await cp(join(from, folder), join(dir, 'assets/pdfjs', folder), { recursive: true })
      }
    },
  }
}

/** What the server runs to draw the first view of a page, with the class names that the pages have; it loads the texts it draws. */
function firstViews(): Plugin {
  return {
    name: 'first-views',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      await build({
        ...{ configFile: false, root: import.meta.dirname, logLevel: 'warn', publicDir: false, plugins: [react()] },
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { noExternal: true },
        build: {
          ...{ ssr: 'src/entries/drawn/first-view.tsx', outDir: join(dir, 'server'), minify: true },
        },
      })
    },
  }
}

/** The browser asks for what blocks the first paint before the code that does not. */
function stylesFirst(): Plugin {
  return {
    name: 'styles-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
        const rest = sheets.reduce((text, sheet) => text.replace(sheet, ''), html)
        return rest.replace(/ *<link rel="icon"/, (icon) => sheets.join('') + icon)
      },
    },
  }
}

/**
 * A worker rules the addresses below its own, so this one stands at the root under a name that stays. Not every browser loads a
 * worker that imports, so it is one file that shares no piece with the pages.
 */
function offlineWorker(): Plugin {
  return {
    name: 'offline-worker',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      await bundle({
        input: join(import.meta.dirname, 'src/entries/offline/worker.ts'),
        output: { file: join(dir, 'worker.js'), format: 'iife', minify: true },
      })
    },
  }
}

async function chunkGroups(): Promise<Rolldown.CodeSplittingGroup[]> {
  const chunks = await firstViewChunks()
  return [
    { name: (id) => chunks.get(id), debugName: 'first views', priority: 1, includeDependenciesRecursively: false },
    // An icon in a file of its own weighs twice as much on the wire.
    { name: 'icons', test: /lucide-react.+icons/, minShareCount: 3 },
  ]
}

export default defineConfig(async ({ command }): Promise<UserConfig> => ({
  plugins: [react(), stylesFirst(), entryPages(), firstViews(), offlineWorker(), pdfData(), compressed()],
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: Object.fromEntries(ENTRY_PAGES.map(({ html }) => [html.replace('.html', ''), html])),
      output: { codeSplitting: { groups: command === 'build' ? await chunkGroups() : [] } },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': SERVER,
      '/files': SERVER,
      '/ws': { target: SERVER, ws: true },
    },
  },
}))
