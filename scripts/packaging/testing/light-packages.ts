import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTgz } from '../formats.ts'
import { PLATFORMS } from '../platforms.ts'
import { readKey, writeOwnRelease, writeRelease } from '../release.ts'
import { layOut } from '../tree.ts'

export interface LightRelease {
  /** Where a server looks for it. */
  readonly out: string
  readonly version: string
  readonly keyFile: string
  readonly minVersion?: string
  /** Its daemon ends at once. */
  readonly isBroken?: boolean
}

/** Packages as `npm run package` makes them, with the runtime of this machine in place of their own: 120 MB less to write. */
export class LightPackages implements AsyncDisposable {
  readonly #folder: string
  readonly #keys: readonly string[]

  private constructor(folder: string, keys: readonly string[]) {
    this.#folder = folder
    this.#keys = keys
  }

  /** @param keys whom the clients trust */
  static async open(keys: readonly string[]): Promise<LightPackages> {
    const folder = await mkdtemp(join(tmpdir(), 'godwit-light-'))
    const tree = join(folder, 'tree')
    await layOut(platform, 'godwit-client', tree)
    const node = join(tree, 'node')
    await rm(node)
    await writeFile(node, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
    await chmod(node, 0o755)
    return new LightPackages(folder, keys)
  }

  /** @returns the package */
  async make({ out, version, keyFile, minVersion = '0.0.0', isBroken = false }: LightRelease): Promise<string> {
    const [tree, work] = [join(this.#folder, 'tree'), join(this.#folder, `work-${version}`)]
    const program = join(tree, 'app/godwit-client.js')
    const whole = await readFile(program, 'utf8')
    const file = join(out, 'godwit-client.tgz')
    await mkdir(out, { recursive: true })
    await mkdir(work)
    try {
      await writeOwnRelease(join(tree, 'app'), { version, form: 'tgz', platform: platform.name, keys: this.#keys })
      if (isBroken) await writeFile(program, whole.replace('\n', "\nif (process.argv[2] === 'run') process.exit(1)\n"))
      await makeTgz({ tree, work, result: file, version, isQuick: true })
    } finally {
      await writeFile(program, whole)
      await rm(work, { recursive: true })
    }
    await writeRelease({ out, version, minVersion, made: [{ platform, file }], key: await readKey(keyFile) })
    return file
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const platform = tgzPlatform()

function tgzPlatform(): (typeof PLATFORMS)[number] {
  const found = PLATFORMS.find(({ type }) => type === 'tgz')
  if (found === undefined) throw new Error('no tgz is made')
  return found
}
