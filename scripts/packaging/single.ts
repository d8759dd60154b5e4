import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool } from './run-tool.ts'

/** The `gwt` of a tree and the runtime in one program. Its parts are laid into the user's cache at the first start. */
export async function makeSingle(tree: string, work: string, result: string): Promise<void> {
  await mkdir(work, { recursive: true })
  const app = join(tree, 'app')
  const all = await readdir(app, { recursive: true, withFileTypes: true })
  const files = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(app.length + 1))
  const digest = createHash('sha256')
  for (const file of files.toSorted()) digest.update(file).update(await readFile(join(app, file)))
  const main = join(work, 'single.cjs')
  await writeFile(main, mainOf(digest.digest('hex').slice(0, 16), files))
  const config = {
    main,
    output: result,
    executable: join(tree, 'node'),
    disableExperimentalSEAWarning: true,
    execArgv: ['--max-semi-space-size=4', '--single-threaded-gc'],
    execArgvExtension: 'none',
    assets: Object.fromEntries(files.map((file) => [file, join(app, file)])),
  }
  await writeFile(join(work, 'single.json'), JSON.stringify(config))
  await rm(result, { force: true })
  await runTool(join(tree, 'node'), ['--build-sea', join(work, 'single.json')])
  await chmod(result, 0o755)
}

/** A folder of the version's own, readable for its user alone, gets its name once all is in it. */
function mainOf(version: string, files: readonly string[]): string {
  return `
const { getRawAsset } = require('node:sea')
const fs = require('node:fs')
const path = require('node:path')
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(require('node:os').homedir(), '.cache'), 'gwt')
const folder = path.join(cache, 'program-${version}')
if (!fs.existsSync(folder)) {
  fs.mkdirSync(cache, { recursive: true, mode: 0o700 })
  const part = fs.mkdtempSync(folder + '-')
  for (const file of ${JSON.stringify(files)}) {
    const target = path.join(part, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, Buffer.from(getRawAsset(file)))
  }
  fs.writeFileSync(path.join(part, 'start.cjs'), "import('./gwt.js')")
  try {
    fs.renameSync(part, folder)
  } catch (error) {
    // Another start was first.
    fs.rmSync(part, { recursive: true })
    if (!fs.existsSync(folder)) throw error
  }
}
require('node:module').createRequire(path.join(folder, 'start.cjs'))('./start.cjs')
`
}
