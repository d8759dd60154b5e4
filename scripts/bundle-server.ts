import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { BUNDLE } from '../apps/server/src/bundle.ts'
import { ROOT } from './steps.ts'

/**
 * Puts the server, and what it imports whenever it starts, into one file: reading one file instead of a thousand halves the
 * processor time of a start, and one file can be replaced while a server runs, which would not find its parts otherwise.
 */

const RESULT = join(ROOT, BUNDLE.result)

/**
 * Packages that stay where npm put them: they have native parts or files beside their code, or are loaded by `import()` and by
 * few servers. One that a lazily loaded source imports statically belongs into the bundle, which would else load it at its start.
 */
const APART = [
  '@aws-sdk/client-s3',
  '@napi-rs/blake-hash',
  '@simplewebauthn/server',
  'better-sqlite3',
  'fast-json-stringify',
  'ioredis',
  'koffi',
  'mysql2',
  'nodemailer',
  'swagger-ui-dist',
]

/** A source finds what lies beside it from the bundle as well: workers, documents, built pages. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    const isOurs = id.startsWith(ROOT + sep) && !id.includes(`${sep}node_modules${sep}`)
    if (!isOurs || !/\bimport\.meta\.(dirname|filename|url)\b/.test(code)) return undefined
    const source = relative(dirname(RESULT), id).replaceAll(sep, '/')
    const path = (place: string) =>
      `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(place)})`
    return {
      // Nothing moves to another line.
      map: null,
      code: code.replaceAll(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, what: string) => {
        if (what === 'url') return `new URL(${JSON.stringify(source)}, import.meta.url).href`
        return path(what === 'dirname' ? dirname(source) : source)
      }),
    }
  },
}

const bundle = await rolldown({
  input: join(ROOT, 'apps/server/src/cli.ts'),
  platform: 'node',
  external: APART,
  plugins: [places],
})
const { output } = await bundle.generate({
  file: RESULT,
  format: 'esm',
  codeSplitting: false,
  // V8 keeps the text in two bytes a character once a single one is beyond Latin-1, as all Chinese texts are.
  charset: 'ascii',
  comments: false,
  // Node keeps the text of a program in memory. Names stay, for the traces of errors.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: 'hidden',
})
const [{ code, map }] = output
if (map === null) throw new Error('the bundle has no source map')
await mkdir(dirname(RESULT), { recursive: true })
await replaceFile(`${RESULT}.map`, JSON.stringify({ ...map, sourcesContent: undefined }))
await replaceFile(RESULT, code)

async function replaceFile(path: string, content: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  await writeFile(part, content)
  await rename(part, path)
}
