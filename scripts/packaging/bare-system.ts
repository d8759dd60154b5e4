import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runTool } from './run-tool.ts'

/** The folders of a system with nothing but a shell. */
export async function makeBareSystem(root: string): Promise<void> {
  for (const folder of [
    'tmp',
    'dev',
    'root',
    'bin',
    'var/lib/dpkg/info',
    'var/lib/dpkg/updates',
    'var/lib/dpkg/triggers',
  ])
    await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'var/lib/dpkg/status'), '')
  await cp('/bin/sh', join(root, 'bin/sh'), { dereference: true })
  await addLibraries(root, ['/bin/sh'])
}

/** What an installed tree is linked with: a package names these as its dependencies. */
export async function addLibrariesOf(root: string, tree: string): Promise<void> {
  const files = await readdir(join(root, tree), { recursive: true })
  const linked = files.filter((file) => file === 'node' || file.endsWith('.node'))
  await addLibraries(
    root,
    linked.map((file) => join(root, tree, file)),
  )
}

async function addLibraries(root: string, programs: readonly string[]): Promise<void> {
  for (const program of programs) {
    const listed = await runTool('ldd', [program])
    for (const [path] of listed.matchAll(/\/[^\s:]+\.so[^\s:]*/g)) {
      const target = join(root, path)
      await mkdir(dirname(target), { recursive: true })
      await cp(path, target, { dereference: true })
    }
  }
}

/** Runs a program inside of it, with no search path. */
export function runInside(root: string, argv: readonly string[]): Promise<string> {
  const isRoot = process.getuid?.() === 0
  const [program, words] = isRoot ? ['chroot', [root]] : ['unshare', ['--map-root-user', 'chroot', root]]
  const search = '/usr/sbin:/usr/bin:/sbin:/bin'
  return runTool(program, [...words, ...argv], { PATH: search, HOME: '/root', GODWIT_CLIENT_HOME: '/root/client' })
}
