#!/usr/bin/env -S node --max-semi-space-size=4 --single-threaded-gc
// JavaScript that any Node since 16 can read. It finds a Node that runs the rest, and says so plainly where there is none.
// The options of the first line bound what Node keeps for new objects: by default 96 MiB, for garbage of a moment.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** As in the engines of package.json. */
const NEEDED = [24, 15]
const NODE_OPTIONS = ['--max-semi-space-size=4', '--single-threaded-gc']
/** Set for a second process, so that there is never a third. */
const MARK = 'GWT_STARTED_BY'

const script = fileURLToPath(import.meta.url)

/** @param {string} version */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** The Node that `npm ci` brought along, in the nearest node_modules. */
function findNodeOfNpm() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = dirname(script); folder !== dirname(folder); folder = dirname(folder)) {
    for (const prefix of ['node', 'node-bin']) {
      const path = join(folder, 'node_modules', `${prefix}-${platform}-${process.arch}`, 'bin', file)
      if (existsSync(path)) return path
    }
  }
  return undefined
}

/** @param {string} node */
function runOn(node) {
  const env = { ...process.env, [MARK]: process.version }
  const child = spawn(node, [...NODE_OPTIONS, script, ...process.argv.slice(2)], { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to both; the child decides what it means.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]))
  child.on('error', () => refuse())
}

function refuse() {
  console.error(
    `gwt: Node ${NEEDED.join('.')} or newer is needed; this is ${process.version}. ` +
      'Run npm ci, which brings one along, or start gwt with a newer node.',
  )
  process.exit(1)
}

async function run() {
  const { enableCompileCache } = await import('node:module')
  // What is kept of compiled code makes the next start sooner, and each thread 15 MiB smaller. It lies in a folder of the
  // user's own, since whoever writes into it decides what this program does; where none can be made, nothing is kept.
  enableCompileCache(join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gwt'))
  await import('../src/cli/gwt.ts')
}

if (isNewEnough(process.versions.node)) await run()
else {
  const node = process.env[MARK] === undefined ? findNodeOfNpm() : undefined
  if (node === undefined) refuse()
  else runOn(node)
}
