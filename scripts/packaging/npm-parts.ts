import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../steps.ts'

const runProgram = promisify(execFile)
/** Packages of other platforms, which `npm ci` leaves out. */
const CACHE = join(ROOT, 'node_modules/.cache/packaging')

interface Locked {
  readonly version: string
  readonly integrity: string
}

/** Puts a package of npm into a folder: the one that is installed, or for another platform the same that the lock file names. */
export async function placePackage(name: string, folder: string): Promise<void> {
  const installed = join(ROOT, 'node_modules', name)
  const source = (await exists(installed)) ? installed : await fetched(name)
  await cp(source, folder, { recursive: true })
}

/** @throws Error unless it is what the lock file says, byte for byte */
async function fetched(name: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const locked = lock.packages[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`${name} is not in package-lock.json`)
  const folder = join(CACHE, `${name.replace('/', '+')}-${locked.version}`)
  if (await exists(folder)) return folder
  const part = `${folder}.${process.pid}.part`
  await mkdir(part, { recursive: true })
  try {
    const pack = ['pack', '--silent', '--ignore-scripts', `${name}@${locked.version}`, '--pack-destination', part]
    const { stdout } = await runProgram('npm', pack, { cwd: part })
    const archive = join(part, stdout.trim())
    const digest = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')
    if (`sha512-${digest}` !== locked.integrity) throw new Error(`${name} is not what package-lock.json says`)
    await runProgram('tar', ['-xzf', archive, '-C', part])
    await rename(join(part, 'package'), folder)
  } finally {
    await rm(part, { recursive: true, force: true })
  }
  return folder
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
