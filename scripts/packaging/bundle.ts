import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { ROOT } from '../steps.ts'

/** Loaded from beside the bundle: they have native parts. */
const APART = ['koffi', '@napi-rs/blake-hash']
const MANIFEST = join(ROOT, 'packages/transfer/package.json')

/** All files of a bundle lie in one folder, whichever folder their source is in. */
const places: Plugin = {
  name: 'places',
  transform: (code) => ({
    map: null,
    code: code
      .replaceAll("new URL('./disk.worker.ts', import.meta.url)", "new URL('./disk.worker.js', import.meta.url)")
      .replaceAll("new URL('../../package.json', import.meta.url)", "new URL('./package.json', import.meta.url)")
      .replaceAll("new URL('../release.json', import.meta.url)", "new URL('./release.json', import.meta.url)")
      .replaceAll("join(import.meta.dirname, '../../bin/gwt.js')", "join(import.meta.dirname, 'gwt.js')"),
  }),
}

/** Puts a program with all its sources into a folder as JavaScript. */
export async function bundleProgram(program: 'godwit-client' | 'gwt', folder: string): Promise<void> {
  const source = program === 'gwt' ? 'packages/transfer/bin/gwt.js' : 'apps/client/bin/godwit-client.ts'
  const bundle = await rolldown({
    input: { [program]: join(ROOT, source), 'disk.worker': join(ROOT, 'packages/transfer/src/workers/disk.worker.ts') },
    platform: 'node',
    external: APART,
    plugins: [places],
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { readonly version: string }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: program, version, type: 'module' }))
}
