import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientPage } from '../build.ts'
import { ROOT } from '../steps.ts'
import { bundleProgram } from './bundle.ts'
import { placePackage } from './npm-parts.ts'
import { machineOf, type Platform } from './platforms.ts'

/** Koffi has its sources and headers beside what runs. */
const NOT_RUN = /(^|\/)koffi\/(doc|lib|vendor)$|\.(cc|hh|inc|def|S|asm)$|\/musl_x64$/

/** Lays out what is installed: the runtime, the bundle and its native parts. @throws Error when a part is missing or of another machine */
export async function layOut(platform: Platform, program: 'godwit-client' | 'gwt', folder: string): Promise<void> {
  const { runtime, native } = platform
  const isWindows = runtime.program.endsWith('.exe')
  await mkdir(folder, { recursive: true })
  const whole = join(folder, 'runtime')
  await placePackage(runtime.name, whole)
  await cp(join(whole, runtime.program), join(folder, isWindows ? 'node.exe' : 'node'))
  await cp(join(whole, 'LICENSE'), join(folder, 'LICENSE-node')).catch((error: unknown) => {
    // The package for Windows has none of its own.
    if (!isWindows) throw error
  })
  await rm(whole, { recursive: true })
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  await bundleProgram(program, join(folder, 'app'))
  if (program === 'godwit-client') await cp(await buildClientPage(), join(folder, 'app/web'), { recursive: true })
  const modules = join(folder, 'app/node_modules')
  for (const name of ['koffi', '@napi-rs/blake-hash', ...native]) await placePackage(name, join(modules, name))
  for (const file of await readdir(modules, { recursive: true }))
    if (NOT_RUN.test(file)) await rm(join(modules, file), { recursive: true, force: true })
  await assertNative(platform, folder)
}

/** Every native part is there, and for this machine alone. */
export async function assertNative({ native, machine }: Platform, folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const runtime = files.find((file) => /^node(\.exe)?$/.test(file))
  const parts = files.filter((file) => file.endsWith('.node'))
  if (runtime === undefined) throw new Error(`no runtime in ${folder}`)
  for (const name of native)
    if (!parts.some((file) => file.replaceAll('\\', '/').includes(`/${name}/`)))
      throw new Error(`no native part of ${name}`)
  for (const file of [runtime, ...parts])
    if (machineOf(await readFile(join(folder, file))) !== machine) throw new Error(`${file} is not for ${machine}`)
}
